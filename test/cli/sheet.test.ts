import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENT, SHEET } from '../mock/bookings.ts';
import { type Ended, tallystickHere } from './command.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tallystick-sheet-'));
beforeAll(() => {
  writeFileSync(join(cwd, 'bookings.yaml'), DOCUMENT);
  writeFileSync(join(cwd, 'bookings.behaviour.yaml'), SHEET);
  writeFileSync(join(cwd, 'wrong.behaviour.yaml'), SHEET.replace('listGuests }', 'listGests }'));
  writeFileSync(join(cwd, 'alone.behaviour.yaml'), SHEET);
});
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const sheet = (...args: string[]): Promise<Ended> => tallystickHere(['sheet', ...args], { cwd });

test('a sheet that fits its document ends with 0', async () => {
  expect(await sheet('check', 'bookings.behaviour.yaml')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('7 policies and 0 rules fit bookings.yaml') as string,
  });
});

test('an invalid sheet ends with 1, with the place and a suggestion', async () => {
  const { code, stderr } = await sheet('check', 'wrong.behaviour.yaml', '--document', 'bookings.yaml');
  expect(code).toBe(1);
  expect(stderr).toMatch(/wrong\.behaviour\.yaml:\d+:\d+/);
  expect(stderr).toContain('did you mean listGuests?');
});

test.each([
  [['check', 'none.behaviour.yaml'], 'There is no file none.behaviour.yaml'],
  [['check', 'alone.behaviour.yaml'], 'There is no OpenAPI document beside alone.behaviour.yaml'],
  [['draft', 'none.yaml'], 'none.yaml'],
  [['draft', 'bookings.yaml', '--out', 'bookings.behaviour.yaml'], 'bookings.behaviour.yaml already exists'],
])('%j ends with 2', async (args, said) => {
  const { code, stderr } = await sheet(...args);
  expect([code, stderr]).toMatchObject([2, expect.stringContaining(said) as string]);
  expect(readFileSync(join(cwd, 'bookings.behaviour.yaml'), 'utf8')).toBe(SHEET);
});

test('a draft goes to stdout, and passes the check unchanged', async () => {
  const { code, stdout } = await sheet('draft', 'bookings.yaml');
  expect(code).toBe(0);
  writeFileSync(join(cwd, 'drafted.behaviour.yaml'), stdout);
  expect((await sheet('check', 'drafted.behaviour.yaml', '--document', 'bookings.yaml')).code).toBe(0);
});

test('the line that the check proposes for a rule without a case is one to paste', async () => {
  const unnamed = SHEET.replace(
    'rules: []',
    `rules:
  - id: bookings.things.gone
    level: must
    says: After a deletion a booking is nowhere.
    source: { document: 1, section: Bookings, item: Deletions }
    needs: []
    audience: server
    policy: resource
    #`,
  );
  const file = 'unnamed.behaviour.yaml';
  writeFileSync(join(cwd, file), unnamed);
  const { stderr } = await sheet('check', file, '--document', 'bookings.yaml');
  const [, line = ''] = /add the line `(case: [a-z-]+)`/.exec(stderr) ?? [];
  expect(line).toBe('case: deleted');
  writeFileSync(join(cwd, file), unnamed.replace('    #', `    ${line}\n    #`));
  const named = await sheet('check', file, '--document', 'bookings.yaml');
  expect([named.code, named.stderr]).toEqual([0, expect.not.stringContaining('unjudged') as string]);
});
