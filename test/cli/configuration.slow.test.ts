// @module-tag long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tallystickHere } from './command.ts';

/** `tallystick.config` as mock and conform read it. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: page, in: query, schema: { type: integer } }, { name: size, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: Notes.
          content:
            application/json:
              schema: { type: array, items: { type: object, required: [id], properties: { id: { type: integer } } } }
`;
const SHEET = `
api: notes
contract: '1'
document: 1
policies:
  - { kind: numbered-pages, operations: [listNotes], pageParameter: page, limitParameter: size, defaultLimit: 2, maximumLimit: 3 }
rules: []
unspecified: []
`;

const folder = mkdtempSync(join(tmpdir(), 'tallystick-config-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function project(config: object): string {
  const cwd = mkdtempSync(join(folder, 'p-'));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  write('api/notes.yaml', DOCUMENT);
  write('api/rules.yaml', SHEET);
  write('package.json', '{}');
  write('tallystick.config.json', JSON.stringify(config, undefined, 2));
  return cwd;
}

const OWN = { document: 'api/notes.yaml', sheet: 'api/rules.yaml' };

async function refusal(args: readonly string[], config: object): Promise<string> {
  const { code, stderr } = await tallystickHere(args, { cwd: project(config) });
  expect(code).toBe(2);
  return stderr;
}

test.each<[string, string[], object, string]>([
  [
    'an unknown member',
    ['mock', '--check'],
    { mock: { prot: 1 } },
    'tallystick.config.json:3:5: unknown property mock.prot. Did you mean port?',
  ],
  [
    'a port that is text',
    ['mock', '--check'],
    { mock: { port: '80' } },
    'tallystick.config.json:3:5: mock.port must be a number, not "80"',
  ],
  [
    'a port that is none',
    ['mock', '--check'],
    { mock: { port: 70_000 } },
    'tallystick.config.json:3:5: mock.port: expected a whole number from 0 to 65535',
  ],
  [
    'a scenario with a slip',
    ['mock', '--check'],
    { mock: { scenario: ['slow;x=1'] } },
    'tallystick.config.json:3:5: mock.scenario: expected NAME;after=N',
  ],
  [
    'an API without a document',
    ['mock', '--check'],
    { contracts: [{ sheet: 'x' }] },
    'missing property document in contracts[0]',
  ],
  [
    'a slip in the second of two targets',
    ['conform', 'a'],
    {
      conform: {
        targets: {
          a: { baseUrl: 'http://localhost', seed: 1 },
          b: { baseUrl: 'http://localhost', seed: 'x' },
        },
      },
    },
    'tallystick.config.json:10:9: conform.targets.b.seed must be a number, not "x"',
  ],
  [
    'a module with an unknown member',
    ['mock', '--check'],
    { contracts: [{ ...OWN, module: { probs: [] } }] },
    'tallystick.config.json:7:9: unknown property contracts[0].module.probs. Did you mean probes?',
  ],
  ['a document that is not there', ['mock', '--check'], { contracts: ['none.yaml'] }, 'none.yaml'],
  [
    'a target without an address',
    ['conform', 'staging'],
    { conform: { targets: { staging: {} } } },
    'missing property baseUrl in conform.targets.staging',
  ],
  [
    'a target whose address is none',
    ['conform', 'staging'],
    { conform: { targets: { staging: { baseUrl: 'x' } } } },
    'conform.targets.staging.baseUrl must be an address',
  ],
  [
    'a misspelt target',
    ['conform', 'stagign'],
    { conform: { targets: { staging: { baseUrl: 'http://localhost' } } } },
    '"stagign" is not a base URL. Did you mean staging?',
  ],
  [
    'an unknown permission',
    ['conform', 'a'],
    { conform: { targets: { a: { baseUrl: 'http://localhost', allow: ['write'] } } } },
    'conform.targets.a.allow: expected',
  ],
  [
    'several contracts for one target',
    ['conform', 'a', '--plan'],
    { contracts: [OWN, 'router'], conform: { targets: { a: { baseUrl: 'http://localhost' } } } },
    'lists several contracts: choose the one that the server has to keep',
  ],
  [
    'an option that the configuration cannot set',
    ['mock', '--check'],
    { mock: { exec: 'rm' } },
    'unknown property mock.exec',
  ],
])('%s is reported with its place', async (_what, args, config, said) => {
  expect(await refusal(args, config)).toContain(said);
});

test('mock serves the contracts of the configuration, with their sheets', async () => {
  const cwd = project({ contracts: [OWN] });
  const checked = await tallystickHere(['mock', '--check'], { cwd });
  expect([checked.code, checked.stderr]).toMatchObject([
    0,
    expect.stringContaining('api/notes.yaml: 1 operation') as string,
  ]);
});

test('the command line takes precedence over the configuration', async () => {
  const cwd = project({ contracts: ['none.yaml'], mock: { data: 'state' } });
  const { code, stderr } = await tallystickHere(
    ['mock', '--check', 'api/notes.yaml', '--sheet', 'api/rules.yaml'],
    { cwd },
  );
  expect([code, stderr]).toMatchObject([0, expect.stringContaining('api/notes.yaml: 1 operation') as string]);
});

test('a target names a server, its contract and its options', async () => {
  const targets = { local: { baseUrl: 'http://127.0.0.1:9', anonymous: true } };
  const cwd = project({ contracts: [OWN], conform: { targets } });
  const { code, stdout } = await tallystickHere(['conform', 'local', '--plan', '--json'], { cwd });
  expect([code, stdout]).toMatchObject([0, expect.stringContaining('/notes') as string]);
  expect(stdout).not.toContain('/v1/models');
});

test('a target chooses operations, a misspelt one is refused, and the command line takes precedence', async () => {
  const local = { baseUrl: 'http://127.0.0.1:9', anonymous: true };
  const targets = { local: { ...local, except: ['listNotes'] }, slip: { ...local, except: ['listNote'] } };
  const cwd = project({ contracts: [OWN], conform: { targets } });
  const plan = (...args: readonly string[]) => tallystickHere(['conform', ...args, '--plan'], { cwd });
  const chosen = await plan('local');
  expect([chosen.code, chosen.stdout]).toMatchObject([
    0,
    expect.stringContaining('listNotes is left out by --except listNotes') as string,
  ]);
  const slip = await plan('slip');
  expect([slip.code, slip.stderr]).toMatchObject([
    2,
    expect.stringContaining(
      'there is no operation and no tag "listNote". Did you mean "listNotes"?',
    ) as string,
  ]);
  const typed = await plan('local', '--except', 'listNote');
  expect([typed.code, typed.stderr]).toMatchObject([2, expect.stringContaining('"listNote"') as string]);
});

test('without a target, conform judges the contracts of the configuration', async () => {
  const cwd = project({ contracts: [OWN] });
  const { code, stdout } = await tallystickHere(
    ['conform', 'http://127.0.0.1:9', '--anonymous', '--plan', '--json'],
    { cwd },
  );
  expect([code, stdout]).toMatchObject([0, expect.stringContaining('/notes') as string]);
  expect(stdout).not.toContain('/v1/models');
});

const RULE = `rules:
  - id: notes.list.signed
    level: must
    says: Lists name who made them.
    source: { document: 1, section: Notes, item: Lists }
    needs: []
    audience: server
`;
/** A module for a rule that no policy states: the mock keeps it, can break it, and a probe judges it. */
const MODULE = `import { defineConfig, defineModule } from 'tallystick';
import { defineProbe } from 'tallystick/conformance';
import { withHeaders, withoutHeaders } from 'tallystick/mock';

const signed = defineProbe({
  title: 'Who made a list',
  rules: ['notes.list.signed'],
  requests: { list: { operation: 'listNotes' } },
  async run({ send, expect }: any) {
    const seen = await send('list');
    expect('notes.list.signed', seen, seen.header('Made-By') === 'notes', 'the header Made-By');
  },
});
const module = defineModule({
  probes: [signed],
  answers: { listNotes: (answer) => withHeaders(answer, [['Made-By', 'notes']]) },
  deviations: [
    {
      id: 'notes.list.signed~anonymous',
      rule: 'notes.list.signed',
      alsoFails: [],
      operations: ['listNotes'],
      onReply: (answer) => withoutHeaders(answer, 'Made-By'),
    },
  ],
});
export default defineConfig({ contracts: [{ document: 'api/notes.yaml', sheet: 'api/rules.yaml', module }] });
`;

function ruled(config: string | undefined): string {
  const cwd = project({});
  rmSync(join(cwd, 'tallystick.config.json'));
  writeFileSync(join(cwd, 'api/rules.yaml'), SHEET.replace('rules: []\n', RULE));
  if (config !== undefined) writeFileSync(join(cwd, 'tallystick.config.ts'), config);
  return cwd;
}

test('a module of the configuration adds a rule that no policy states to mock and suite', async () => {
  const { code, stdout } = await tallystickHere(['conform', '--self-test', '--json'], { cwd: ruled(MODULE) });
  const { broken, deviations } = JSON.parse(stdout) as {
    readonly broken: readonly string[];
    readonly deviations: readonly { readonly id: string; readonly outcome: string }[];
  };
  expect([code, broken]).toEqual([0, []]);
  expect(deviations).toContainEqual(
    expect.objectContaining({ id: 'notes.list.signed~anonymous', outcome: 'caught', strays: [] }),
  );
});

test('the mock breaks rules of a module on demand, and suggests a similar name', async () => {
  const cwd = ruled(MODULE);
  const mock = (deviation: string) => tallystickHere(['mock', '--check', '--deviate', deviation], { cwd });
  expect((await mock('notes.list.signed~anonymous')).code).toBe(0);
  expect((await mock('numbered-pages.listNotes.walk~first-page-again')).code).toBe(0);
  expect((await mock('notes.list.signed~anonymos')).stderr).toContain(
    'Did you mean notes.list.signed~anonymous?',
  );
});

test.each([
  [
    'conform',
    ['conform', 'http://127.0.0.1:9', '--contract', 'api/notes.yaml,api/rules.yaml', '--anonymous'],
  ],
  ['conform --self-test', ['conform', '--self-test', '--contract', 'api/notes.yaml,api/rules.yaml']],
])('%s does not pass over a rule that nothing can judge', async (name, args) => {
  const { code, stdout } = await tallystickHere([...args], { cwd: ruled(undefined) });
  expect(stdout).toContain('notes.list.signed: no probe, oracle or template judges this rule');
  expect(stdout).toContain('write a probe for the rule.');
  // Nothing listens there: that outweighs the rule.
  expect(code).toBe(name === 'conform' ? 3 : 2);
});
