// @module-tag long
// @module-tag attack
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderReport } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { unseenCharacters } from '../../contract/index.ts';
import { freshFolder, tallystickHere } from '../cli/command.ts';
import { launch } from '../e2e/browser.ts';
import { hostileServer } from './hostile-server.ts';
import type { HostileServer } from './hostile-server.ts';

const evil =
  '\u001b[2J\u0007\u009b31m\u202eevil\u2066\u200b</script><img src=x onerror="alert(1)">\'"`$(id)|[a](https://evil.example)';
const key = 'service-secret-4711';
const environment = { TALLYSTICK_API_KEY: key };
let server: HostileServer;
let folder = '';
let said = '';
let report: Report;
const run = (...args: readonly string[]) =>
  tallystickHere(['conform', ...args], { cwd: folder, environment });

beforeAll(async () => {
  folder = await freshFolder();
  server = await hostileServer((_, response) => {
    const latin = Buffer.from(evil.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')).toString('latin1');
    response.writeHead(500, {
      'Content-Type': 'application/json',
      ETag: `"${latin}"`,
      'X-Service-Error-Type': latin,
    });
    response.end(JSON.stringify({ error_type: evil, detail: evil, [evil]: evil }));
  });
  const ran = await run(server.url);
  said = ran.stdout + ran.stderr;
  report = JSON.parse(await readFile(join(folder, 'tallystick-report', 'report.json'), 'utf8')) as Report;
});
afterAll(() => server.close());

const unseen = new RegExp(`(?![\\n\\t])${unseenCharacters}`, 'u');

test('text of a server cannot control the terminal, directly or through a file', async () => {
  expect(report.rules.some(({ verdict }) => verdict === 'fail')).toBe(true);
  expect(said).not.toMatch(unseen);
  const place = join(folder, 'tallystick-report');
  const files = await readdir(place, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(await readFile(name, 'utf8'), name).not.toMatch(unseen);
  expect(JSON.stringify(report.exchanges)).toContain('evil');
});

/** An untrusted report: of the right shape, with hostile texts. */
function poisoned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  const texts = [
    'says',
    'help',
    'reason',
    'expected',
    'observed',
    'about',
    'why',
    'as',
    'target',
    'scenario',
    'identity',
    'section',
    'item',
    'version',
    'failure',
    'text',
  ];
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      texts.includes(name) && typeof item === 'string' ? `${evil}${item}` : poisoned(item),
    ]),
  );
}

test("an untrusted report cannot control the reader's terminal or browser in any format", async () => {
  await mkdir(join(folder, 'poisoned'));
  await writeFile(join(folder, 'poisoned', 'report.json'), JSON.stringify(poisoned(report)));
  for (const format of ['text', 'json', 'ndjson', 'markdown', 'junit', 'html', 'sarif', 'har', 'badge']) {
    const { code, stdout, stderr } = await run('report', 'poisoned', '--format', format);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout, format).not.toMatch(unseen);
  }
});

test(
  "only the script of the page runs in it, regardless of the report's content",
  { tags: 'browser' },
  async () => {
    const file = join(folder, 'page.html');
    // What an attacker would add if escaping failed must not run either.
    const html = renderReport(poisoned(report) as Report, 'html');
    await writeFile(
      file,
      html.replace(
        '<main>',
        '<main><script>window.broken = 1</script><img src="x" onerror="window.broken = 1">',
      ),
    );
    const browser = await launch();
    try {
      const tab = await browser.newPage();
      const requests: string[] = [];
      let asked = 0;
      tab.on('dialog', (dialog) => {
        asked += 1;
        void dialog.dismiss();
      });
      tab.on('requestfinished', (request) => requests.push(request.url()));
      await tab.goto(pathToFileURL(file).href);
      await tab.fill('#search', 'router');
      await tab.locator('details.rule:not([hidden]) summary').first().waitFor();
      await tab.evaluate('document.querySelector("details.rule button.exchange").click()');
      expect(await tab.textContent('dialog[open]')).toContain('evil');
      expect(await tab.textContent('dialog[open]')).not.toMatch(unseen);
      expect(await tab.evaluate('window.broken')).toBeUndefined();
      expect(asked).toBe(0);
      expect(requests).toEqual([pathToFileURL(file).href]);
    } finally {
      await browser.close();
    }
  },
);

/** The report with another value for the first member of this name and this kind. */
const changed = (member: RegExp, by: string): string => JSON.stringify(report).replace(member, () => by);
const hostile = JSON.stringify(evil);

test.each<[string, () => string, RegExp]>([
  [
    'a level that is markup',
    () => changed(/"level":"[^"]*"/, `"level":${hostile}`),
    /\/rules\/0\/level must be one of must, must-not/,
  ],
  [
    'a sum that is markup',
    () => changed(/"pass":\d+/, `"pass":${hostile}`),
    /\/summary\/pass must be an integer/,
  ],
  [
    'a finding of no kind',
    () =>
      changed(/"findings":\[/, `"findings":[{"kind":${hostile},"says":"","exchanges":[]},`).replace(
        ',]',
        ']',
      ),
    /\/findings\/0\/kind must be one of/,
  ],
  [
    'an address that is none',
    () => changed(/"baseUrl":"[^"]*"/, '"baseUrl":"javascript:alert(1)"'),
    /\/target\/baseUrl must match/,
  ],
  ['a prototype', () => changed(/"contract":\{/, '"contract":{"__proto__":"x",'), /\/contract/],
  ['a thousand levels', () => '['.repeat(1000) + ']'.repeat(1000), /nests deeper than 500 levels/],
  ['no JSON', () => 'x', /^✖ bad\.json:1:1: x is not a JSON value/],
  ['another object', () => '{"rules":[],"exchanges":[],"target":null}', /it has no "schemaVersion"/],
])('a report with %s is refused, with its place', async (_, text, message) => {
  await writeFile(join(folder, 'bad.json'), text());
  for (const args of [
    ['report', 'bad.json'],
    ['compare', 'bad.json', 'bad.json'],
    ['replay', 'bad.json', 'x0001', '--trust-report'],
  ]) {
    const { code, stderr } = await run(...args);
    expect(stderr).toMatch(/^✖ bad\.json(?: is not a report of tallystick conform: |:1:1: )/);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  }
});

test('an endless file is not a report', async () => {
  const { code, stderr } = await run('report', '/dev/zero');
  expect(stderr).toContain('/dev/zero is larger than 268435456 bytes');
  expect(code).toBe(2);
});

test.each<[string, string, RegExp]>([
  ['without its member', '{}', /it has no "known"/],
  ['with null', '{"known":null}', /\/known must be an object/],
  [
    'with a verdict that is none',
    '{"known":{"router.a":"pass"}}',
    /\/known\/router.a must be one of fail, warn/,
  ],
  ['with a prototype', '{"known":{"__proto__":"fail"}}', /\/known/],
  ['that is deep', '['.repeat(1000) + ']'.repeat(1000), /nests deeper than 500 levels/],
])('a baseline %s is refused before anything is sent', async (_, text, message) => {
  await writeFile(join(folder, 'known.json'), text);
  const before = server.asked.length;
  const { code, stderr } = await run(server.url, '--baseline', 'known.json');
  expect(stderr).toMatch(/^✖ known\.json is not a baseline: /);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
  expect(server.asked.length).toBe(before);
});

const bomb = [
  'a: &a [x,x,x,x,x,x,x,x,x,x]',
  ...[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[at]}`).join(',')}]`),
].join('\n');
test.each<[string, string, RegExp]>([
  [
    'of aliases that multiply',
    `job:\n  ok:\n${bomb.replace(/^/gm, '    ')}`,
    /aliases expand to more than 100000 /,
  ],
  [
    'of flow lists within each other',
    `job: { ok: ${'['.repeat(100_000)} }`,
    /nested more than 200 levels deep/,
  ],
  [
    'of block lists within each other',
    `job:\n  ok:\n    ${'- '.repeat(100_000)}1`,
    /nested more than 200 levels deep/,
  ],
  ['with a prototype', '__proto__: { baseUrl: http://x }', /unknown property __proto__/],
])('a fixtures file %s is reported in a sentence, and nothing is sent', async (_, text, message) => {
  await writeFile(join(folder, 'bad.yaml'), text);
  const before = server.asked.length;
  const { code, stderr } = await run(server.url, '--fixtures', 'bad.yaml');
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('fault of tallystick');
  expect(code).toBe(2);
  expect(server.asked.length).toBe(before);
});

test('a value that an alias of a fixtures file repeats is sent with its meaning', async () => {
  await writeFile(
    join(folder, 'alias.yaml'),
    'model:\n  ok: { id: a/b, input: &in { n: 1 } }\n  slow: { id: a/b, input: *in }\n',
  );
  const { code, stdout } = await tallystickHere(['fixtures', 'check', 'alias.yaml'], { cwd: folder });
  expect(stdout).toContain('alias.yaml is valid');
  expect(code).toBe(0);
});
