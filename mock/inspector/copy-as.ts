import { visibleLines } from '../../contract/plain-text.ts';
import type { CredentialShape } from '../control/shape.ts';
import { asCurl as inShell, type WrittenRequest } from '../journal/curl.ts';
import type { JournalEntry } from '../journal/journal.ts';

/** A request that can be copied as a shell command, as `fetch` or as a test. */
export interface Copied extends WrittenRequest {
  /** The status of the answer; 0 if the connection was cut. */
  readonly status: number;
  /** The parts that the reader has to fill in, because the journal does not store them. */
  readonly missing?: readonly string[];
}

/**
 * The request of an exchange. The journal stores no credentials. A key of the mock is derived again from the
 * caller's name, and if an API accepts any credential, one of its form is inserted; the reader fills in
 * others.
 *
 * @param presented the credential that the API of the exchange expects
 */
export function copied(
  entry: JournalEntry,
  mockUrl: string,
  presented: (Pick<CredentialShape, 'headers'> & Partial<CredentialShape>) | undefined,
): Copied {
  const headers = entry.request.headers
    .filter(([name]) => !UNWANTED.test(name))
    .map(([name, value]): readonly [string, string] => [
      name,
      WHOLLY_HIDDEN.test(value)
        ? credential(name, entry.caller, presented)
        : value.replaceAll(HIDDEN, UNKNOWN),
    ]);
  const { body } = entry.request;
  return {
    method: entry.method,
    url: `${mockUrl}${entry.target.startsWith('/') ? '' : '/'}${entry.target.replaceAll(HIDDEN, UNKNOWN)}`,
    headers,
    body,
    status: entry.status,
    missing: [
      ...(entry.target.includes(HIDDEN) || headers.some(([, value]) => value.includes(UNKNOWN))
        ? [`replace ${UNKNOWN} by the credential`]
        : []),
      // The journal has truncated or masked it, or it is not text.
      ...(/…|\ufffd/.test(body) ? ['the body is incomplete'] : []),
    ],
  };
}

export function asCurl(request: WrittenRequest): string {
  return inShell(request, { flags: ['-i'], between: ' \\\n  ' });
}

export function asFetch(request: Copied): string {
  return `${comments(request)}const response = await fetch(${script(request.url)}, ${options(request)});`;
}

/** A Vitest test that expects the recorded status, or a cut connection. */
export function asTest(request: Copied): string {
  const { pathname } = new URL(request.url);
  const call = `fetch(${script(request.url)}, ${options(request).replaceAll('\n', '\n  ')})`;
  const isCut = request.status === 0;
  const title = `${request.method} ${pathname} ${isCut ? 'is cut off' : `answers ${request.status}`}`;
  return [
    "import { expect, test } from 'vitest';",
    '',
    `${comments(request)}test(${script(title)}, async () => {`,
    ...(isCut
      ? [`  await expect(${call}).rejects.toThrow();`]
      : [`  const response = await ${call};`, `  expect(response.status).toBe(${request.status});`]),
    '});',
    '',
  ].join('\n');
}

// --- internal ---

/** Headers that every client adds itself. */
const UNWANTED =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|sec-.*|origin|referer|cache-control|pragma)$/i;

const UNKNOWN = 'YOUR-CREDENTIAL';

/** What the journal shows in place of a secret, after the scheme of a credential. */
const HIDDEN = '…';
const WHOLLY_HIDDEN = /^(?:[\w-]+ )?…$/;

function credential(
  name: string,
  caller: string | undefined,
  presented: Parameters<typeof copied>[2],
): string {
  const usual = presented?.headers.find(([, value]) => value.endsWith(USUAL))?.[1].replace(/^Bearer /, '');
  const own = /^key ([a-z0-9-]+)\+(.*)$/s.exec(caller ?? '');
  if (usual !== undefined && own !== null) {
    const value = `${usual.slice(0, -USUAL.length)}${own[1] ?? ''}${own[2] === '' ? '' : `+${own[2] ?? ''}`}`;
    return inHeader(name, value);
  }
  const isGiven = presented?.kind === 'any' || presented?.kind === 'token';
  const given = isGiven
    ? presented.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]
    : undefined;
  return given ?? inHeader(name, UNKNOWN);
}

function inHeader(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' ? `Bearer ${value}` : value;
}

/** The ending of the mock's ordinary key. */
const USUAL = 'ok';

function comments({ missing = [] }: Copied): string {
  return missing.map((what) => `// ${what}\n`).join('');
}

function options({ method, headers, body }: Copied): string {
  // `fetch` sends no body with these methods.
  const sent = method === 'GET' || method === 'HEAD' ? '' : body;
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const lines = [
    `  method: ${script(method)},`,
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${script(name)}: ${script(value)},`),
          '  },',
        ]),
    // `fetch` adds its own Content-Type to a string.
    ...(sent === ''
      ? []
      : [hasType ? `  body: ${script(sent)},` : `  body: new TextEncoder().encode(${script(sent)}),`]),
  ];
  return `{\n${lines.join('\n')}\n}`;
}

/** A JavaScript string literal in which every character is visible. */
function script(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${visibleLines(inner)}'`;
}
