/**
 * `npm run newest-peers` packs the package, installs it with a plain `npm install` beside the newest version of each peer and
 * of TypeScript, each in an empty project, and uses it there. It prints a table, and exits with 1 if one fails. It runs
 * `dist/` as it was built last, and asks the registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newerNode } from './newer-node.ts';

interface Door {
  readonly peer: string;
  /** Flags of npm. */
  readonly flags?: readonly string[];
  /** The files of the project, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of Node, one list for each program; they end with 0 if the package works beside the peer. */
  readonly programs: readonly (readonly string[])[];
}

const bin = 'node_modules/tallystick/dist/cli/bin.cjs';
const compiled: Omit<Door, 'peer'> = {
  files: {
    'tsconfig.json':
      '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true }, "include": ["src"] }',
  },
  programs: [
    [bin, 'generate', '--server', '--out', 'src/api'],
    ['node_modules/typescript/bin/tsc', '-p', '.'],
  ],
};
const doors: readonly Door[] = [
  {
    peer: 'msw',
    files: {
      'use.js': `import { setupServer } from 'msw/node';
import { createMock } from 'tallystick/mock';
import { mockHandlers } from 'tallystick/msw';
const mock = createMock();
const server = setupServer(...mockHandlers(mock, 'https://api.example.com/base'));
server.listen({ onUnhandledRequest: 'error' });
const headers = { 'X-API-Key': 'service-mock-ok' };
const ask = (more) => fetch('https://api.example.com/base/v1/models', { headers: { ...headers, ...more } });
const statuses = [(await ask()).status, (await ask({ 'X-API-Key': 'nobody' })).status];
const cut = await ask({ Prefer: 'scenario=cut-before' }).then(({ status }) => status, ({ name }) => name);
server.close();
mock.close();
if (String([...statuses, cut]) !== '200,401,TypeError') throw new Error('answers: ' + String([...statuses, cut]));
`,
    },
    programs: [['use.js']],
  },
  {
    peer: 'vitest',
    files: {
      'use.test.js': `import { expect } from 'vitest';
import { withMock } from 'tallystick/vitest';
const test = withMock();
const headers = { 'X-API-Key': 'service-mock-ok' };
for (const name of ['one', 'two'])
  test('each test has a fresh mock: ' + name, async ({ mock }) => {
    expect(mock.journal.entries()).toHaveLength(0);
    expect((await mock.fetch('/v1/models', { headers })).status).toBe(200);
    expect(mock.journal.entries()).toHaveLength(1);
  });
`,
    },
    programs: [['node_modules/vitest/vitest.mjs', 'run']],
  },
  {
    peer: '@playwright/test',
    files: {
      'use.spec.js': `import { expect } from '@playwright/test';
import { withMock } from 'tallystick/playwright';
const test = withMock({ seed: 'a', speed: 0 });
test('a test has a mock of its own', async ({ mock }) => {
  await mock.force({ name: 'unavailable', times: 1 });
  const run = () => mock.fetch('/v1/models/mock/ok', {
    method: 'POST',
    headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' },
    body: '{"prompt":"a notch"}',
  });
  expect([(await run()).status, (await run()).status]).toEqual([503, 200]);
  expect(await mock.journal('op:runModel')).toHaveLength(2);
});
`,
    },
    programs: [[bin, 'mock', '--quiet', '--exec', 'node node_modules/@playwright/test/cli.js test']],
  },
  {
    peer: 'vite',
    files: {
      'index.html': '<title>the page</title>',
      'use.js': `import { createServer } from 'vite';
import { tallystick } from 'tallystick/vite';
const server = await createServer({ configFile: false, plugins: [tallystick()], server: { port: 0, host: '127.0.0.1' } });
await server.listen();
const [site] = server.resolvedUrls.local;
const statuses = [(await fetch(site + 'v1/models')).status, await (await fetch(site)).text()];
await server.close();
if (statuses[0] !== 200 || !statuses[1].includes('the page')) throw new Error(String(statuses));
`,
    },
    programs: [['use.js']],
  },
  { peer: 'typescript', ...compiled },
  { peer: 'typescript', flags: ['--legacy-peer-deps'], ...compiled },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const shelf = mkdtempSync(join(realpathSync(tmpdir()), 'tallystick-peers-'));
try {
  const node = newerNode();
  const env = {
    ...process.env,
    ...{ NO_COLOR: '1', DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false', npm_config_update_notifier: 'false' },
    PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  const run = (program: string, args: readonly string[], cwd: string): string =>
    execFileSync(program, args, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 300_000,
    });
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', shelf], root);
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }];
  console.log(`On Node ${run(node, ['-p', 'process.versions.node'], shelf).trim()}:`);
  for (const [index, { peer, flags = [], files, programs }] of doors.entries()) {
    const project = join(shelf, String(index));
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "a-team", "private": true, "type": "module" }');
    for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
    const name = [peer, ...flags].join(' ').padEnd(32);
    try {
      const wanted = [join(shelf, filename), `${peer}@latest`];
      run('npm', ['install', '--no-audit', '--no-fund', '--prefer-online', ...flags, ...wanted], project);
      for (const args of programs) run(node, args, project);
      console.log(`✔ ${name} ${versionIn(project, peer)}`);
    } catch (error) {
      const {
        stdout = '',
        stderr = '',
        message,
      } = error as Partial<Record<'stdout' | 'stderr', string>> & Error;
      console.log(`✖ ${name} ${versionIn(project, peer)}\n${[message, stdout, stderr].join('\n').trimEnd()}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(shelf, { recursive: true, force: true });
}

// --- internal ---

function versionIn(project: string, peer: string): string {
  try {
    const text = readFileSync(join(project, 'node_modules', peer, 'package.json'), 'utf8');
    return (JSON.parse(text) as { readonly version: string }).version;
  } catch {
    return 'not installed';
  }
}
