import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pets, project, run } from './command-run.ts';

const generate = (folder: string, ...more: readonly string[]) =>
  run(folder, ['generate', 'specs/pets.json', '--out', 'api', '--without', 'validators', ...more]);

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd });
}

/** A project whose code is committed with the document that it was made from. */
async function committed(): Promise<string> {
  const folder = project({ 'specs/pets.json': pets });
  git(folder, 'init', '-q');
  await generate(folder);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'code and its document');
  return folder;
}

const renamed = pets.replace('listPets', 'allPets');

test('--check, --dry-run and the run itself say what a changed document breaks, and how to see all of it', async () => {
  const folder = await committed();
  // The document changes in later commits: the version that the code was made from is still found.
  writeFileSync(join(folder, 'specs/pets.json'), renamed);
  git(folder, 'commit', '-qam', 'another name');
  writeFileSync(join(folder, 'specs/pets.json'), renamed.replace('"reading"', '"lists"'));
  const says =
    /^▲ specs\/pets\.json changed since this code was generated: 1 change breaks callers, 1 change breaks servers; 0 unknown, 1 harmless\n {3}listPets is called allPets now\n {3}all of it: npx --no -- tallystick diff [0-9a-f]{12}:\.\/specs\/pets\.json specs\/pets\.json$/m;
  const check = await generate(folder, '--check');
  expect(check.err).toMatch(says);
  expect(check.code).toBe(1);
  expect((await generate(folder, '--dry-run')).err).toMatch(says);
  const json = JSON.parse((await generate(folder, '--check', '--json')).out) as { contractChanges: unknown };
  expect(json.contractChanges).toStrictEqual([
    {
      name: 'pets',
      counts: { callers: 1, servers: 1, unknown: 0, harmless: 1 },
      command: expect.stringContaining('tallystick diff'),
    },
  ]);
  const command = /tallystick (diff .*)$/m.exec(check.err)?.[1] ?? '';
  expect((await run(folder, command.split(' '))).out).toContain('listPets is called allPets now');
  expect((await generate(folder)).err).toMatch(says);
  expect((await generate(folder, '--check')).err).toBe('');
});

test('a version that git does not have is not guessed', async () => {
  const folder = project({ 'specs/pets.json': pets });
  git(folder, 'init', '-q');
  await generate(folder);
  writeFileSync(join(folder, 'specs/pets.json'), renamed);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'never the old one');
  const { err } = await generate(folder, '--check');
  expect(err).toContain(
    'ℹ specs/pets.json changed since this code was generated; its earlier version is not in git',
  );
  expect(err).toContain('what that breaks: npx --no -- tallystick diff OLD specs/pets.json');
});
