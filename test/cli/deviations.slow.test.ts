import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENT, SHEET } from '../mock/bookings.ts';
import { type Ended, tallystickHere } from './command.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tallystick-deviations-'));
beforeAll(() => {
  writeFileSync(join(cwd, 'bookings.yaml'), DOCUMENT);
  writeFileSync(join(cwd, 'bookings.behaviour.yaml'), SHEET);
  writeFileSync(join(cwd, 'bare.yaml'), DOCUMENT);
});
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Ended> => tallystickHere(args, { cwd });
const STALE = 'conditional-write.replaceBooking.mismatch~taken';

test('the deviations of a user’s contract are listed, with the command to try one', async () => {
  const { code, stdout, stderr } = await run('deviations', 'bookings.yaml');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toContain(STALE);
  expect(stdout).not.toContain('router.');
  expect(stderr).toContain('mock bookings.yaml --deviate ');
});

test('the printed command is one command, where a path has blanks', async () => {
  mkdirSync(join(cwd, 'my api'));
  copyFileSync(join(cwd, 'bookings.yaml'), join(cwd, 'my api/bookings.yaml'));
  copyFileSync(join(cwd, 'bookings.behaviour.yaml'), join(cwd, 'my api/bookings.behaviour.yaml'));
  const { stderr } = await run('deviations', 'my api/bookings.yaml');
  expect(stderr).toContain("tallystick mock 'my api/bookings.yaml' --deviate ");
  const unknown = await run('mock', 'my api/bookings.yaml', '--deviate', 'nothing');
  expect(unknown.stderr).toContain("to list them: npx --no -- tallystick deviations 'my api/bookings.yaml'");
});

test('a document without a sheet has none, and the output states that', async () => {
  expect(await run('deviations', 'bare.yaml')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no behaviour sheet') as string,
  });
});

test('a missing file ends with exit code 2', async () => {
  expect(await run('deviations', 'none.yaml')).toMatchObject({ code: 2 });
});

test('the mock breaks a rule of a user’s contract on demand', async () => {
  const ended = await run(
    'mock',
    'bookings.yaml',
    '--port',
    '0',
    '--deviate',
    STALE,
    '--exec',
    'true',
    '--quiet',
  );
  expect([ended.code, ended.stderr]).toMatchObject([0, expect.stringContaining(STALE) as string]);
});

test('a nearly correct id gets a suggestion, and the place of all ids', async () => {
  const wrong = await run(
    'mock',
    'bookings.yaml',
    '--port',
    '0',
    '--deviate',
    STALE.replace('taken', 'takn'),
  );
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain(`Did you mean ${STALE}?`);
  expect(wrong.stderr).toContain('deviations bookings.yaml');
});
