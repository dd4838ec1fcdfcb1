import { shellWord, visibleLines } from '../../contract/plain-text.ts';
import type { SampleCall } from '../control-shape.ts';
import type { JournalEntry } from '../journal.ts';

/** A request as something to run again, for a shell, a page or a test. */
export interface Copied {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly status: number;
}

/**
 * The request of an exchange. The journal keeps no credentials: a key of the mock is made again from the caller's name,
 * with the help of a sample; any other is left for the reader to fill in.
 */
export function copied(entry: JournalEntry, mockUrl: string, sample: SampleCall | undefined): Copied {
  const headers = entry.request.headers
    .filter(([name]) => !UNWANTED.test(name))
    .map(([name, value]): readonly [string, string] => [
      name,
      value.startsWith('…') ? credential(name, entry.caller, sample) : value,
    ]);
  return {
    method: entry.method,
    url: `${mockUrl}${entry.target.startsWith('/') ? '' : '/'}${entry.target}`,
    headers,
    body: entry.request.body,
    status: entry.status,
  };
}

export function asCurl({ method, url, headers, body }: Copied): string {
  const parts = [
    `curl -i ${shellWord(url)}`,
    ...(method === 'GET' && body === '' ? [] : [`-X ${shellWord(method)}`]),
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${shellWord(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

export function asFetch(request: Copied): string {
  return `const response = await fetch(${script(request.url)}, ${options(request)});`;
}

/** A test for Vitest that expects the status that was answered. */
export function asTest(request: Copied): string {
  const { pathname } = new URL(request.url);
  return [
    "import { expect, test } from 'vitest';",
    '',
    `test(${script(`${request.method} ${pathname} answers ${request.status}`)}, async () => {`,
    `  const response = await fetch(${script(request.url)}, ${options(request).replaceAll('\n', '\n  ')});`,
    `  expect(response.status).toBe(${request.status});`,
    '});',
    '',
  ].join('\n');
}

// --- internal ---

/** What every client adds by itself. */
const UNWANTED =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|sec-.*|origin|referer|cache-control|pragma)$/i;

function credential(name: string, caller: string | undefined, sample: SampleCall | undefined): string {
  // The sample presents the key of the mock that asks for nothing special.
  const usual = sample?.headers.find(([, value]) => value.endsWith(USUAL))?.[1];
  const own = /^key ([a-z0-9-]+)\+(.*)$/s.exec(caller ?? '');
  const value =
    usual === undefined || own === null
      ? 'YOUR-CREDENTIAL'
      : `${usual.slice(0, -USUAL.length)}${own[1] ?? ''}${own[2] === '' ? '' : `+${own[2] ?? ''}`}`;
  return name.toLowerCase() === 'authorization' ? `Bearer ${value}` : value;
}

const USUAL = 'ok';

function options({ method, headers, body }: Copied): string {
  const lines = [
    `  method: ${script(method)},`,
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${script(name)}: ${script(value)},`),
          '  },',
        ]),
    ...(body === '' ? [] : [`  body: ${script(body)},`]),
  ];
  return `{\n${lines.join('\n')}\n}`;
}

/** A string of JavaScript that shows all that it holds. */
function script(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${visibleLines(inner)}'`;
}
