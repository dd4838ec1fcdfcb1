import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { leftOut } from './closing-line.ts';
import { detectTools, requirementFailure } from './tools.ts';

function folderWith(...programs: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-tools-'));
  for (const name of programs) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const found = (environment: Readonly<NodeJS.ProcessEnv>): string[] =>
  detectTools(environment)
    .filter(({ path }) => path !== undefined)
    .map(({ name }) => name);

test.each<[string, string[], string[]]>([
  ['nothing', [], []],
  ['a browser under any of its names', ['google-chrome'], ['browser']],
  ['Redis in the place of Valkey', ['redis-server'], ['valkey']],
  ['the client of PostgreSQL without its server', ['psql'], []],
  ['runtimes beside Node', ['bun', 'deno'], ['bun', 'deno']],
  ['a load balancer and curl', ['haproxy', 'curl'], ['haproxy', 'curl']],
])('on a PATH with %s', (_what, programs, want) => {
  expect(found({ PATH: folderWith(...programs) })).toStrictEqual(want);
});

test('a file that cannot be run is not a program', () => {
  const folder = folderWith();
  writeFileSync(join(folder, 'curl'), '');
  chmodSync(join(folder, 'curl'), 0o644);
  expect(found({ PATH: folder })).toStrictEqual([]);
});

test('the first folder of the PATH wins, and CHROMIUM_PATH wins over the PATH', () => {
  const [first, second] = [folderWith('chromium'), folderWith('chromium', 'my-browser')];
  const browser = (environment: Readonly<NodeJS.ProcessEnv>): string | undefined =>
    detectTools(environment).find(({ name }) => name === 'browser')?.path;
  const PATH = [first, second].join(delimiter);
  expect(browser({ PATH })).toBe(join(first, 'chromium'));
  expect(browser({ PATH, CHROMIUM_PATH: join(second, 'my-browser') })).toBe(join(second, 'my-browser'));
});

test.each<[string | undefined, RegExp | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['curl', undefined],
  [
    'curl, browser',
    /^Chromium is missing, and TALLYSTICK_REQUIRE asks for browser\. .*apt-get install chromium$/,
  ],
  ['browser,engines', /^Chromium is missing/],
  ['engines', /^Valkey or Redis is missing, and TALLYSTICK_REQUIRE asks for engines/],
  ['haproxy', /^haproxy is missing/],
  ['chrome', /^TALLYSTICK_REQUIRE asks for chrome, which is no tool\. Tools: browser, engines, /],
])('TALLYSTICK_REQUIRE=%s on a machine with curl alone', (asked, want) => {
  const failure = requirementFailure(detectTools({ PATH: folderWith('curl') }), {
    TALLYSTICK_REQUIRE: asked,
  });
  if (want === undefined) expect(failure).toBeUndefined();
  else expect(failure).toMatch(want);
});

test('the closing line names what is missing, and the command that installs it', () => {
  const tools = detectTools({ PATH: folderWith('haproxy', 'curl') }).filter(({ path }) => path === undefined);
  expect(leftOut(7, tools)).toBe(
    'Left out 7 tests for lack of Chromium, Valkey or Redis, PostgreSQL, varnish, Bun, or Deno. To run them: apt-get install chromium redis-server postgresql varnish && npm install --global bun deno',
  );
  expect(leftOut(1, tools.slice(0, 1))).toBe(
    'Left out 1 test for lack of Chromium. To run them: apt-get install chromium',
  );
});
