import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadContract, type Contract } from '../../contract/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { answersQuery } from '../../mock/journal/journal-search.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: A pet.
          content:
            application/json:
              schema: { type: object, required: [name], properties: { name: { type: string } } }
              example: { name: Rex }
  /pets/{id}/name:
    get:
      operationId: getName
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: Its name.
          content: { application/json: { schema: { type: string }, example: Rex } }
  /pets:
    post:
      operationId: addPet
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [name] } } }
      responses:
        '201':
          description: Added.
          content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer } } } } }
`;

let folder: string;
let mock: Mock;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  writeFileSync(join(folder, 'pets.yaml'), DOCUMENT);
  const loaded = await loadContract({ document: 'pets.yaml', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  mock = createMock({ contracts: [loaded.contract] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (method: string, path: string, body?: string): Promise<Response> =>
  mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
    }),
  );

test('an answer with a JSON media type contains JSON', async () => {
  const response = await ask('GET', '/pets/7/name');
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(await response.text()).toBe('"Rex"');
});

test('an operation is answered with the example of its document, and says so', async () => {
  const response = await ask('GET', '/pets/7');
  expect(response.status).toBe(200);
  expect(response.headers.get('Tallystick-Answer')).toBe('example');
  expect(await response.json()).toStrictEqual({ name: 'Rex' });
});

test('without an example the answer is made from the schema, and says so', async () => {
  const response = await ask('POST', '/pets', '{"name":"Rex"}');
  expect(response.status).toBe(201);
  expect(response.headers.get('Tallystick-Answer')).toBe('generated');
  expect(await response.json()).toMatchObject({ id: expect.any(Number) as number });
});

test.each([
  ['a parameter of another type', 'GET', '/pets/rex', undefined, 422],
  ['a body without its member', 'POST', '/pets', '{}', 422],
  ['a path that is not in the document', 'GET', '/cats', undefined, 404],
  ['a method that is not in the document', 'DELETE', '/pets/7', undefined, 405],
])('%s is refused with a problem report', async (_what, method, path, body, status) => {
  const response = await ask(method, path, body);
  expect(response.status).toBe(status);
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
});

async function served(name: string, text: string): Promise<Mock> {
  writeFileSync(join(folder, name), text);
  const loaded = await loadContract({ document: name, cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const made = createMock({ contracts: [loaded.contract] });
  onTestFinished(() => {
    made.close();
  });
  return made;
}

test('what is deprecated is answered, with a warning in the journal that is not a violation', async () => {
  const old = await served(
    'deprecated.yaml',
    `
openapi: 3.1.0
info: { title: Old, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: old, in: query, deprecated: true, schema: { type: integer } }
      responses:
        '200': { description: Pets., content: { application/json: { schema: { type: array }, example: [] } } }
`,
  );
  expect((await old.fetch('/pets?old=1')).status).toBe(200);
  const [entry] = old.journal.entries();
  expect(entry?.requestFindings).toMatchObject([
    { at: 'query.old', keyword: 'deprecated', severity: 'warning' },
  ]);
  expect(entry === undefined ? undefined : answersQuery(entry, 'is:violation')).toBe(false);
  expect((await old.fetch('/pets?old=x')).status, 'an error beside the warning').toBe(422);
});

test('an unacceptable Accept is answered with 406 and the available types', async () => {
  const response = await mock.fetch('/pets/7', { headers: { Accept: 'application/xml' } });
  expect([response.status, response.headers.get('Content-Type')]).toStrictEqual([
    406,
    'application/problem+json',
  ]);
  expect(await response.json()).toMatchObject({ status: 406, available: ['application/json'] });
});

test('a changed document is served without a restart, and the built-in APIs keep their state', async () => {
  const read = async (text: string): Promise<Contract> => {
    writeFileSync(join(folder, 'changing.yaml'), text);
    const loaded = await loadContract({ document: join(folder, 'changing.yaml') });
    if (!loaded.ok) throw new Error('the document is good');
    return loaded.contract;
  };
  const changing = createMock({ apis: ['router'], contracts: [await read(DOCUMENT)] });
  try {
    const run = (): Promise<Response> =>
      changing.fetch('/v1/models/mock/ok', {
        method: 'POST',
        headers: {
          'X-API-Key': 'service-mock-ok',
          'Content-Type': 'application/json',
          'Idempotency-Key': 'k',
        },
        body: '{"prompt":"x"}',
      });
    await run();
    expect(await (await changing.fetch('/pets/1')).json()).toStrictEqual({ name: 'Rex' });
    await changing.reload([await read(DOCUMENT.replaceAll('/pets', '/cats').replace('Rex', 'Tom'))]);
    expect(await (await changing.fetch('/cats/1')).json()).toStrictEqual({ name: 'Tom' });
    expect((await changing.fetch('/pets/1')).status).toBeGreaterThanOrEqual(400);
    expect((await run()).headers.get('Idempotent-Replayed')).toBe('true');
  } finally {
    changing.close();
  }
});

test('a reference in an example is data: no file is opened, and it is answered as it stands', async () => {
  writeFileSync(join(folder, 'secret.yaml'), 'secret: a tally');
  writeFileSync(
    join(folder, 'workflows.yaml'),
    `
openapi: 3.1.0
info: { title: Workflows, version: '1' }
paths:
  /workflow:
    get:
      operationId: getWorkflow
      responses:
        '200':
          description: A workflow.
          content:
            application/json:
              schema: { type: object }
              example: { a: 1, steps: [{ $ref: secret.yaml }, { $ref: missing.yaml }, { $ref: '#/nowhere' }, { $ref: '#anchor' }], z: 2 }
`,
  );
  const loaded = await loadContract({ document: 'workflows.yaml', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const workflows = createMock({ contracts: [loaded.contract] });
  onTestFinished(() => {
    workflows.close();
  });
  const answer = await workflows.fetch(new Request('http://localhost/workflow'));
  expect([answer.status, await answer.text()]).toStrictEqual([
    200,
    '{"a":1,"steps":[{"$ref":"secret.yaml"},{"$ref":"missing.yaml"},{"$ref":"#/nowhere"},{"$ref":"#anchor"}],"z":2}',
  ]);
});
