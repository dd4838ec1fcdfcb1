import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(script: string, ...words: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', script, ...words], { cwd: root, encoding: 'utf8' });
}

test('a command of the repository prints the comment at its head', () => {
  const { status, stdout } = run('test/soak/soak.ts', '--help');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^`npm run soak`: /);
  expect(stdout).not.toMatch(/^ ?\*/m);
});

test.each([
  ['test/soak/soak.ts', 'kil-nine', "There is no 'kil-nine': expected kill-nine, "],
  ['test/bench/bench.ts', '--nonsense', "Unknown option '--nonsense'"],
  ['test/bench/bench.ts', 'server', "There is no 'server': expected requests, "],
])('%s %s is a mistake, said without a stack', (script, word, message) => {
  const { status, stderr } = run(script, word);
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`^✖ ${message}`));
  expect(stderr).toContain('`npm run ');
  expect(stderr).not.toMatch(/^ +at /m);
});
