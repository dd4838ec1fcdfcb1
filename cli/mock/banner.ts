import { asCurl, CERTIFICATE_FILE } from '../../mock/journal/curl.ts';
import type { ApiShape, ControlState, CredentialShape, RunningMock } from '../../mock/index.ts';
import { ownVersion } from '../own-version.ts';
import type { Terminal } from '../terminal.ts';
import { typed } from '../../contract/index.ts';

/** The data that is printed when a mock is ready. */
export function mockBanner(
  running: Pick<RunningMock, 'url' | 'controlUrl' | 'state'>,
  facts: {
    readonly milliseconds: number;
    readonly data: string | undefined;
    readonly deviations: readonly string[];
    /** Whether the mock reacts to keys. */
    readonly keys: boolean;
  },
  { paint, sign }: Pick<Terminal, 'paint' | 'sign'>,
): string[] {
  const state = running.state();
  const address = local(running.url);
  const inspector = running.controlUrl === undefined ? undefined : local(running.controlUrl);
  const row = (mark: string, name: string, value: string, note = ''): string =>
    `  ${mark}  ${name.padEnd(9)}  ${value}${note === '' ? '' : `${' '.repeat(Math.max(2, 30 - plainLength(value)))}(${note})`}`;
  const served = state.apis.map(({ name }) => name).join(` ${sign.dot} `);
  return [
    `  tallystick mock ${ownVersion()}   ${served}   ready in ${facts.milliseconds} ms`,
    row(sign.arrow, 'API', paint('cyan', address, 'say')),
    ...(inspector === undefined
      ? []
      : [row(sign.arrow, 'Inspector', paint('cyan', inspector, 'say'), facts.keys ? 'press o to open' : '')]),
    ...keyRows(state.apis, facts.keys).map(([value, note]) => row(sign.arrow, 'Key', value, note)),
    facts.data === undefined
      ? row(' ', 'State', 'in memory, lost on exit', '--data .tallystick keeps it')
      : row(' ', 'State', `kept in ${facts.data}`),
    ...trustRows(running.url, inspector).map(([value, note]) => row(' ', 'Trust', value, note)),
    ...facts.deviations.map((id) => row(sign.warning, 'Breaks', id)),
    ...tryRows(state, address, inspector).map(([value, note]) => row(' ', 'Try', value, note)),
    ...(facts.keys ? [`  ${keyLine(sign.dot)}`] : []),
  ];
}

/** The keys that a mock reacts to. */
export function keyLine(dot: string): string {
  return Object.entries(keys)
    .map(([key, does]) => `${key} ${does}`)
    .join(` ${dot} `);
}

export const keys = {
  o: 'open',
  s: 'scenarios',
  c: 'clear journal',
  t: '+1h clock',
  r: 'reset',
  h: 'help',
  q: 'quit',
} as const;

export type Key = keyof typeof keys;

export function isKey(text: string): text is Key {
  return Object.hasOwn(keys, text);
}

// --- internal ---

type Row = readonly [value: string, note: string];

/** A row for each kind of credential, with the APIs that accept it unless all do. */
function keyRows(apis: readonly ApiShape[], keysAreHeard: boolean): Row[] {
  const alike = new Map<string, { readonly credential: CredentialShape; readonly names: string[] }>();
  for (const { name, credential } of apis) {
    const known = alike.get(`${credential.kind} ${credential.value}`);
    if (known === undefined)
      alike.set(`${credential.kind} ${credential.value}`, { credential, names: [name] });
    else known.names.push(name);
  }
  return [...alike.values()].map(({ credential, names }) => {
    const whose = alike.size === 1 ? [] : [names.join(', ')];
    const list = keysAreHeard ? 'press s' : typed('scenarios');
    switch (credential.kind) {
      case 'key':
        return [
          credential.value,
          [...whose, `any ${credential.value.replace(/ok$/, '*')}; list: ${list}`].join(': '),
        ];
      case 'token':
        return [credential.value, [...whose, 'as a bearer token'].join(': ')];
      case 'any':
        return [credential.value, whose.join('')];
      case 'none':
        return ['none needed', whose.join('')];
    }
  });
}

/** How clients can be made to trust a mock that serves TLS. */
function trustRows(url: string, inspector: string | undefined): Row[] {
  if (inspector === undefined || !url.startsWith('https:')) return [];
  const address = new URL('/certificate.pem', inspector).href;
  return [
    [
      asCurl({ method: 'GET', url: address, headers: [], body: '' }, { flags: ['-so', CERTIFICATE_FILE] }),
      '',
    ],
    [`NODE_EXTRA_CA_CERTS=${CERTIFICATE_FILE}`, 'for clients in Node'],
  ];
}

/** A call that succeeds; if none could be made, a call of the control API that lists all operations. */
function tryRows({ sample }: ControlState, address: string, inspector: string | undefined): Row[] {
  if (sample !== undefined) return [[asCurl({ ...sample, url: `${address}${sample.target}` }), '']];
  if (inspector === undefined) return [];
  const { origin, search } = new URL(inspector);
  const url = `${origin}/control/v1/reference${search}`;
  return [[asCurl({ method: 'GET', url, headers: [], body: '' }), 'lists the operations']];
}

function local(url: string): string {
  return url.replace('//127.0.0.1', '//localhost');
}

function plainLength(text: string): number {
  // Colours have no width.
  return text.replace(/\u001b\[\d+m/g, '').length;
}
