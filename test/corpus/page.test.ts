import { expect, test } from 'vitest';
import { page, peerCell, type Row } from './page.ts';
import { noOutcome } from './run.ts';

const accepted = { kind: 'accepted', seconds: 0.62, errors: 0 } as const;
const generated: Row = {
  document: 'a pets.json',
  version: '3.1.0',
  outcome: {
    ...noOutcome,
    ...{ kind: 'generated', operations: 7, seconds: 1.25, megabytes: 150, bytes: 510_400 },
    ...{ errors: { 5.9: 0, '6.0': 0, '7.0': 'timeout' }, trial: { results: 3, refusals: 1, faults: [] } },
  },
  peers: { 'openapi-typescript': { ...accepted, errors: 2 }, 'hey-api': accepted },
};
const refused: Row = {
  document: 'b old.json',
  version: '2.0',
  outcome: { ...noOutcome, kind: 'refused', said: 'no <b> | c', seconds: 0.2 },
  peers: {
    'openapi-typescript': { kind: 'refused', seconds: 0.5, errors: 0 },
    'hey-api': { kind: 'timeout', seconds: 120, errors: 0 },
  },
};

test('a cell of a peer holds errors only where there is code', () => {
  expect(peerCell(accepted)).toBe('accepted / 0.6 / 0');
  expect(peerCell({ ...accepted, errors: 'timeout' })).toBe('accepted / 0.6 / timeout');
  expect(peerCell({ kind: 'refused', seconds: 0.5, errors: 0 })).toBe('refused / 0.5');
  expect(peerCell(undefined)).toBe('');
});

test('the page has a row for each document, with every peer, and sums', () => {
  const text = page([generated, refused]);
  expect(text).toContain(
    '| `a pets.json` | 3.1.0 | generated | 7 | 1.3 | 150 | 510 | 0 | 0 | timeout | 3 / 1 / 0 | accepted / 0.6 / 2 | accepted / 0.6 / 0 |',
  );
  expect(text).toContain(
    '| `b old.json` | 2.0 | refused |  | 0.2 |  |  |  |  |  |  | refused / 0.5 | timeout / 120.0 |',
  );
  expect(text).toContain('- tallystick: 1 of 2 became code;');
  expect(text).toContain(
    '- openapi-typescript: 1 of 2 were accepted; the others were refused; the code of 1',
  );
  expect(text).toContain(
    '- hey-api: 1 of 2 were accepted; 1 took too long, the others were refused; the code of 0',
  );
  expect(text).toContain('- `b old.json`: no  b    c');
});

test('every line of the table has the columns of its head', () => {
  const widths = page([generated, refused, { ...refused, peers: {} }])
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').length);
  expect(new Set(widths).size).toBe(1);
});
