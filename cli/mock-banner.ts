import { findPolicy } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { RunningMock } from '../mock/index.ts';
import { ownVersion } from './own-version.ts';
import type { Terminal } from './terminal.ts';

/** What a person is told when a mock answers. */
export function mockBanner(
  running: Pick<RunningMock, 'url' | 'controlUrl'>,
  facts: {
    readonly contracts: readonly Contract[];
    /** Names of what is served, also documents of the user's own. */
    readonly served: readonly string[];
    readonly milliseconds: number;
    readonly data: string | undefined;
    readonly deviations: readonly string[];
    /** Whether keys are listened to. */
    readonly keys: boolean;
  },
  { paint, sign }: Pick<Terminal, 'paint' | 'sign'>,
): string[] {
  const router = facts.contracts.find(({ name }) => name === 'router');
  const credentials = router === undefined ? undefined : findPolicy(router, 'credentials');
  const list = router?.operations.find(({ id }) => id === 'listModels');
  const prefix = `${credentials?.keyPrefix ?? ''}mock-`;
  const address = running.url.replace('//127.0.0.1', '//localhost');
  const inspector = running.controlUrl?.replace('//127.0.0.1', '//localhost');
  const row = (mark: string, name: string, value: string, note = ''): string =>
    `  ${mark}  ${name.padEnd(9)}  ${value}${note === '' ? '' : `${' '.repeat(Math.max(2, 30 - plainLength(value)))}(${note})`}`;
  const served = facts.served.join(` ${sign.dot} `);
  return [
    `  tallystick mock ${ownVersion()}   ${served}   ready in ${facts.milliseconds} ms`,
    row(sign.arrow, 'API', paint('cyan', address, 'say')),
    ...(inspector === undefined
      ? []
      : [row(sign.arrow, 'Inspector', paint('cyan', inspector, 'say'), facts.keys ? 'press o to open' : '')]),
    row(
      sign.arrow,
      'Key',
      `${prefix}ok`,
      `any ${prefix}*; list: ${facts.keys ? 'press s' : 'tallystick scenarios'}`,
    ),
    facts.data === undefined
      ? row(' ', 'State', 'in memory, lost on exit', '--data .tallystick keeps it')
      : row(' ', 'State', `kept in ${facts.data}`),
    ...facts.deviations.map((id) => row(sign.warning, 'Breaks', id)),
    ...(list === undefined
      ? []
      : [
          row(
            ' ',
            'Try',
            `curl ${address}${list.path} -H '${credentials?.keyHeader ?? 'Authorization'}: ${prefix}ok'`,
          ),
        ]),
    ...(facts.keys ? [`  ${keyLine(sign.dot)}`] : []),
  ];
}

/** The keys that a mock listens to. */
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

function plainLength(text: string): number {
  // Colours take no room.
  return text.replace(/\u001b\[\d+m/g, '').length;
}
