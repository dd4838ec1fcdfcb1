// @module-tag long
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freshFolder, tallystick, tallystickHere } from './command.ts';

/** `tallystick <line>` ends with the code. Both streams contain the listed texts, and never a stack. */
interface Row {
  readonly line: string;
  readonly code: number;
  readonly stdout?: readonly string[];
  readonly stderr?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

let folder = '';
beforeAll(async () => {
  folder = await freshFolder();
  await writeFile(join(folder, 'broken.yaml'), 'openapi 3.1.0\ninfo:\n  title: x\n');
  await writeFile(join(folder, 'dangling.yaml'), document('{ $ref: "#/components/schemas/Jop" }', 'Job: {}'));
  await writeFile(
    join(folder, 'remote.yaml'),
    document('{ $ref: "https://x.example/common.yaml#/Job" }', 'Job: {}'),
  );
  await writeFile(join(folder, 'good.yaml'), document('{ type: string }', 'Job: { type: object }'));
  await writeFile(join(folder, 'fixtures.yaml'), 'creds:\n  apiKey: x\n');
  await writeFile(join(folder, 'secret.yaml'), 'cred:\n  apiKey: $NOT_SET_ANYWHERE\n');
  await mkdir(join(folder, 'edited'));
});

const rows: readonly Row[] = [
  { line: '--help', code: 0, stdout: ['Usage: tallystick', 'generate', 'mock', 'conform', 'Exit codes'] },
  { line: '--version', code: 0, stdout: ['0.'] },
  { line: '', code: 2, stderr: ['Missing command'] },
  { line: 'mok', code: 2, stderr: ['✖ Unknown command mok. Did you mean mock?'] },
  {
    line: 'mock --prot 1',
    code: 2,
    stderr: ['✖ Unknown option --prot. Did you mean --port?', 'tallystick mock --help'],
  },
  { line: 'mock --port 99999', code: 2, stderr: ['--port', 'a whole number from 0 to 65535'] },
  { line: 'mock --deadline 600', code: 2, stderr: ['a duration such as 60s or 10m', 'Did you mean 600s?'] },
  { line: 'mock --profile odd', code: 2, stderr: ['--profile', 'legal-but-odd'] },
  {
    line: 'mock --deviate router.list.limit-clampd~none',
    code: 2,
    stderr: ['router.list.limit-clampd~none', 'tallystick deviations'],
  },
  { line: 'generate ruter', code: 2, stderr: ['✖ Unknown API ruter. Did you mean router?'] },
  { line: 'generate missing.yaml', code: 2, stderr: ['missing.yaml', 'nothing was changed'] },
  {
    line: 'generate broken.yaml',
    code: 2,
    stderr: ['broken.yaml:', '| openapi 3.1.0', 'nothing was changed'],
  },
  {
    line: 'generate dangling.yaml',
    code: 2,
    stderr: ['dangling.yaml:', 'did you mean #/components/schemas/Job?', 'nothing was changed'],
  },
  { line: 'generate remote.yaml', code: 2, stderr: ['https://x.example/common.yaml', 'nothing was changed'] },
  { line: 'generate router --sheet x.yaml', code: 2, stderr: ['--sheet needs exactly one OpenAPI document'] },
  { line: 'generate --import-extension mjs', code: 2, stderr: ['--import-extension', 'js, ts'] },
  {
    line: 'explain router.list.limit-clamped',
    code: 0,
    stdout: ['cites', 'document 1', 'router.list.limit-clamped'],
  },
  {
    line: 'explain router.list',
    code: 0,
    stdout: ['router.list.limit-clamped ', 'router.list.limit-default '],
  },
  { line: 'explain A-07', code: 0, stdout: ['A-07', 'the contract leaves this open'] },
  {
    line: 'explain router.list.limit-clampd',
    code: 2,
    stderr: ['Unknown rule or assumption router.list.limit-clampd. Did you mean router.list.limit-clamped?'],
  },
  { line: 'explain', code: 2, stderr: ['Missing argument <id>'] },
  { line: 'assumptions', code: 0, stdout: ['A-07'] },
  { line: 'scenarios', code: 0, stdout: ['mock/deadline-exceeded', 'one-slot'] },
  { line: 'deviations', code: 0, stdout: ['router.list.limit-clamped~'] },
  { line: 'doctor', code: 0, stdout: ['Node', 'Prism and TypeScript are installed'] },
  {
    line: 'conform https://api.example.com',
    code: 2,
    stderr: [
      '✖ No credential for https://api.example.com',
      '--api-key, --bearer, $TALLYSTICK_API_KEY',
      'add --anonymous',
    ],
  },
  { line: 'conform api.example.com --anonymous', code: 2, stderr: ['api.example.com', 'https://'] },
  { line: 'conform --anonymous', code: 2, stderr: ['No base URL'] },
  {
    line: 'conform http://127.0.0.1 --allow everything',
    code: 2,
    stderr: ['--allow', 'negatives', 'billed'],
  },
  { line: 'conform http://127.0.0.1 --shard 3/2', code: 2, stderr: ['--shard', 'i/n'] },
  {
    line: 'conform http://127.0.0.1:9 --api-key service-x --report out',
    code: 3,
    stdout: ['127.0.0.1:9', 'ECONNREFUSED'],
  },
  { line: 'conform http://127.0.0.1 --fixtures none.yaml', code: 2, stderr: ['none.yaml does not exist'] },
  {
    line: 'conform http://127.0.0.1 --fixtures fixtures.yaml',
    code: 2,
    stderr: ['fixtures.yaml:1:1', 'creds', 'did you mean cred?', 'nothing was sent'],
  },
  { line: 'fixtures check secret.yaml', code: 2, stderr: ['secret.yaml:2', '$NOT_SET_ANYWHERE'] },
  {
    line: 'fixtures --mock http://127.0.0.1:9',
    code: 3,
    stderr: ['http://127.0.0.1:9/control/v1/fixtures does not return fixtures', 'control API'],
  },
  { line: 'fixtures --template', code: 0, stdout: ['cred', 'model'] },
];

test.concurrent.each(rows)(
  'tallystick $line',
  async ({ line, code, stdout = [], stderr = [], environment }) => {
    const words = line.split(' ').filter((word) => word !== '');
    const ended = await tallystickHere(words, {
      cwd: folder,
      ...(environment === undefined ? {} : { environment }),
    });
    for (const text of stdout) expect(ended.stdout).toContain(text);
    for (const text of stderr) expect(ended.stderr).toContain(text);
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect(ended.code).toBe(code);
  },
);

test('colours are printed only on request', async () => {
  const escape = '\u001b[';
  const plain = await tallystick(['explain', 'A-07']);
  const forced = await tallystick(['explain', 'A-07'], { environment: { FORCE_COLOR: '1' } });
  const refused = await tallystick(['explain', 'A-07'], { environment: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  const flag = await tallystick(['--no-color', 'explain', 'A-07'], { environment: { FORCE_COLOR: '1' } });
  expect(plain.stdout).not.toContain(escape);
  expect(forced.stdout).toContain(escape);
  expect(refused.stdout).not.toContain(escape);
  expect(flag.stdout).not.toContain(escape);
});

test('a dumb terminal gets ASCII symbols only', async () => {
  const { stderr } = await tallystick(['mok'], { environment: { TERM: 'dumb' } });
  expect(stderr).toMatch(/^x Unknown command mok/);
});

test('--debug adds the stack', async () => {
  const { stderr } = await tallystick(['explain', 'nothing', '--debug']);
  expect(stderr).toMatch(/^\s+at /m);
});

// --- internal ---

function document(schema: string, components: string): string {
  return `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /jobs:
    get:
      operationId: listJobs
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: ${schema}
components:
  schemas:
    ${components}
`;
}
