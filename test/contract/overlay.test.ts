import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyOverlay } from '../../contract/document/overlay.ts';
import { loadContract, type LoadResult } from '../../contract/load.ts';
import { valueAt } from '../../contract/pointer.ts';
import { parseFile } from '../../contract/text/parse.ts';

const folder = mkdtempSync(join(tmpdir(), 'overlays-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const DOCUMENT = `openapi: 3.1.0
info: {title: t, version: '1'}
tags: [{name: a}, {name: b}, {name: c}]
paths:
  /x:
    get: &get {operationId: getX, tags: [a], responses: {'200': {description: ok}}}
  /y:
    get: {operationId: getY, x-internal: true, responses: {'200': {description: ok}}}
    put: {responses: {'200': {description: ok}}}
components: {schemas: {A: {type: string, pattern: '(?>a)'}}}
`;

test.each([
  [
    'merges objects',
    `[{target: $.info, update: {description: d}}]`,
    '/info',
    { title: 't', version: '1', description: 'd' },
  ],
  ['adds to lists', `[{target: $.tags, update: {name: d}}]`, '/tags/3', { name: 'd' }],
  [
    'adds to the lists of what it merges',
    `[{target: '$.paths["/x"].get', update: {tags: [b]}}]`,
    '/paths/~1x/get/tags',
    ['a', 'b'],
  ],
  [
    'selects by filters',
    `[{target: "$.paths.*[?@['x-internal'] == true]", update: {summary: s}}]`,
    '/paths/~1y/get/summary',
    's',
  ],
  [
    'removes from lists what it selects, and nothing else',
    `[{target: "$.tags[?@.name != 'b']", remove: true}]`,
    '/tags',
    [{ name: 'b' }],
  ],
  ['removes members', `[{target: $.paths.*.put, remove: true}]`, '/paths/~1y/put', undefined],
  [
    'removes where it also updates',
    `[{target: $.paths.*.put, remove: true, update: {summary: s}}]`,
    '/paths/~1y/put',
    undefined,
  ],
  [
    'applies actions in their order',
    `[{target: $.info, update: {description: d}}, {target: $.info.description, remove: true}]`,
    '/info/description',
    undefined,
  ],
  [
    'takes __proto__ for a name',
    `[{target: $.info, update: {x-a: {__proto__: {polluted: true}}}}]`,
    '/info/x-a/polluted',
    undefined,
  ],
])('an overlay %s', async (_, actions, pointer, want) => {
  const result = await apply(
    `[${actions.slice(1, -1)}, {target: $.components.schemas.A.pattern, remove: true}]`,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(result.warnings).toStrictEqual([]);
  expect(valueAt(result.contract.document.root, pointer)).toStrictEqual(want);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('overlays are part of the hash and of the files that are watched, and are applied in their order', async () => {
  const [plain, first, both] = await Promise.all([
    loaded({ actions: [] }),
    loaded({ actions: ['{target: $.info, update: {summary: one}}'] }),
    loaded({
      actions: ['{target: $.info, update: {summary: one}}', '{target: $.info, update: {summary: two}}'],
    }),
  ]);
  const hashes = [plain, first, both].map((each) => (each.ok ? each.contract.document.hash : ''));
  expect(new Set(hashes).size).toBe(3);
  expect(both.ok && valueAt(both.contract.document.root, '/info/summary')).toBe('two');
  expect(both.files.filter((file) => basename(file).includes('overlay'))).toHaveLength(2);
});

test('an action without a match is a warning with its place', async () => {
  const result = await apply(
    `[{target: $.components.schemas.A.pattern, remove: true}, {target: "$.paths['/z']", remove: true}]`,
  );
  const told = result.ok ? result.warnings : result.diagnostics;
  expect(told.map(({ code, location }) => [code, location?.file, location?.line])).toStrictEqual([
    ['overlay-unmatched', 'overlay.yaml', 3],
  ]);
});

test.each([
  ['a file that is missing', undefined, 'file-missing'],
  ['a file that is no overlay', 'openapi: 3.1.0', 'overlay-invalid'],
  ['another version', 'overlay: 2.0.0\nactions: []', 'overlay-invalid'],
  ['no actions', 'overlay: 1.0.0', 'overlay-invalid'],
  ['an action without a target', 'overlay: 1.0.0\nactions: [{remove: true}]', 'overlay-invalid'],
  ['an action that does nothing', 'overlay: 1.0.0\nactions: [{target: $.info}]', 'overlay-invalid'],
  [
    'a target that is no JSONPath',
    'overlay: 1.0.0\nactions: [{target: info, remove: true}]',
    'overlay-invalid',
  ],
  [
    'a target that is the whole document',
    'overlay: 1.0.0\nactions: [{target: $, remove: true}]',
    'overlay-invalid',
  ],
  [
    'an update of a plain value',
    'overlay: 1.0.0\nactions: [{target: $.info.title, update: T}]',
    'overlay-invalid',
  ],
  [
    'a target that takes for ever',
    `overlay: 1.0.0\nactions: [{target: '$..[?count($..[?count($..[?count($..[?count($..*) > 0]) > 0]) > 0]) > 0]', update: {}}]`,
    'overlay-invalid',
  ],
  [
    'updates that double the document again and again',
    `overlay: 1.0.0\nactions: [${Array.from({ length: 40 }, () => `{target: '$.info..*[?@.title]', update: {a: {title: t}, b: {title: t}}}, {target: '$.info', update: {a: {title: t}, b: {title: t}}}`).join(', ')}, {target: '$..[?@.title]', update: {z: {title: {title: {title: t}}}}}, {target: '$..[?@.title]', update: {z: {title: {title: {title: t}}}}}]`,
    undefined,
  ],
])('%s ends in words and not in memory', async (_, overlay, code) => {
  if (overlay !== undefined) writeFileSync(join(folder, 'hostile.yaml'), overlay);
  const result = await loaded({ files: [overlay === undefined ? 'nowhere.yaml' : 'hostile.yaml'] });
  if (code === undefined) return;
  expect(result.ok).toBe(false);
  expect(result.ok || result.diagnostics.map((each) => each.code)).toContain(code);
});

function apply(actions: string): Promise<LoadResult> {
  writeFileSync(
    join(folder, 'overlay.yaml'),
    `overlay: 1.0.0\ninfo: {title: o, version: '1'}\nactions: ${actions}`,
  );
  return loaded({ files: ['overlay.yaml'] });
}

function loaded({ files, actions = [] }: { files?: string[]; actions?: string[] }): Promise<LoadResult> {
  const overlays =
    files ??
    [`{target: $.components, remove: true}`, ...actions].slice(1).map((action) => {
      const name = `overlay-${String(action.length)}-${action.includes('two') ? 'two' : 'one'}.yaml`;
      writeFileSync(join(folder, name), `overlay: 1.0.0\nactions: [${action}]`);
      return name;
    });
  const document = files === undefined ? DOCUMENT.replace(", pattern: '(?>a)'", '') : DOCUMENT;
  writeFileSync(join(folder, files === undefined ? 'plain.yaml' : 'api.yaml'), document);
  return loadContract({ document: files === undefined ? 'plain.yaml' : 'api.yaml', overlays, cwd: folder });
}

test('what an overlay adds is located in it, and everything else in the document', async () => {
  writeFileSync(
    join(folder, 'added.yaml'),
    `overlay: 1.0.0
info: {title: o, version: '1'}
actions:
  - target: $.paths
    update:
      /z: {get: {operationId: getZ, responses: {'200': {description: ok}}}}
  - target: $.paths['/z'].get
    update:
      summary: s
`,
  );
  writeFileSync(join(folder, 'placed.yaml'), DOCUMENT);
  const loaded = await loadContract({ document: 'placed.yaml', overlays: ['added.yaml'], cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { locate } = loaded.contract.document;
  expect(locate('/paths/~1z/get')).toMatchObject({ file: 'added.yaml', line: 6 });
  expect(locate('/paths/~1z/get/summary')).toMatchObject({ file: 'added.yaml', line: 9 });
  expect(locate('/paths/~1x/get')).toMatchObject({ file: 'placed.yaml', line: 6 });
  expect(locate('/paths/~1z/put')).toBeUndefined();
  expect(loaded.contract.operations.find(({ id }) => id === 'getZ')?.pointer).toBe('/paths/~1z/get');
});

test('all actions of all overlays share one budget of time, which ends with a diagnostic', async () => {
  const names = ['budget-1.yaml', 'budget-2.yaml'];
  for (const name of names)
    writeFileSync(
      join(folder, name),
      'overlay: 1.0.0\nactions: [{target: $.info, update: {description: d}}]\n',
    );
  const parsed = parseFile('budget.yaml', DOCUMENT);
  if (!parsed.ok) throw new Error('the document is refused');
  const said: string[] = [];
  const budget = { leftMs: 1_000 };
  const apply = (file: string): Promise<unknown> =>
    applyOverlay(parsed.source, file, {
      ...{ cwd: folder, budget, onText: () => undefined },
      report: ({ message }) => said.push(message),
    });
  expect(await apply('budget-1.yaml')).toBeDefined();
  expect(budget.leftMs).toBeLessThan(1_000);
  expect(said).toStrictEqual([]);
  budget.leftMs = 0;
  expect(await apply('budget-2.yaml')).toBeUndefined();
  expect(said).toStrictEqual(['the actions up to this one take longer than 10 s together']);
});
