import { expect, test } from 'vitest';
import { inOrder } from '../../conformance/probes/document/ordered-times.ts';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const T = '2024-01-01T00:00:00Z';

test.each([
  [
    { startsAt: T, endsAt: T },
    { startsAt: T, endsAt: '2024-01-02T00:00:00Z' },
  ],
  [
    { start_date: '2024-02-28', end_date: '2024-02-28' },
    { start_date: '2024-02-28', end_date: '2024-02-29' },
  ],
  [
    { from: T, to: T, at: T },
    { from: T, to: '2024-01-02T00:00:00Z', at: T },
  ],
  [[{ validFrom: T, validUntil: T }], [{ validFrom: T, validUntil: '2024-01-02T00:00:00Z' }]],
  // Times that differ already, and other texts, stay.
  [
    { startsAt: T, endsAt: '2024-03-01T00:00:00Z' },
    { startsAt: T, endsAt: '2024-03-01T00:00:00Z' },
  ],
  [
    { from: 'Bern', to: 'Bern' },
    { from: 'Bern', to: 'Bern' },
  ],
  [{ endsAt: T }, { endsAt: T }],
  [
    { start: '2024-13-41', end: '2024-13-41' },
    { start: '2024-13-41', end: '2024-13-41' },
  ],
])('what ends is later than what begins: %j', (value, ordered) => {
  expect(inOrder(value)).toEqual(ordered);
});

const json = (status: number, body: unknown): Scripted => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

async function judge(
  document: string,
  sheet: string | undefined,
  answer: (request: WireRequest, body: unknown) => Scripted,
): Promise<{ readonly report: Report; readonly bodies: readonly (readonly [string, unknown])[] }> {
  const bodies: (readonly [string, unknown])[] = [];
  const { transport } = scripted((request) => {
    let body: unknown;
    try {
      body = JSON.parse(Buffer.from(request.body ?? []).toString() || 'null');
    } catch {
      return json(400, {});
    }
    bodies.push([`${request.method} ${request.target}`, body]);
    return answer(request, body);
  });
  const report = await runConformance({
    ...{ contracts: [await own('flags', document, sheet)], baseUrl: 'http://flags.localhost' },
    ...{ allow: permissions, transport },
  });
  return { report, bodies };
}

const FLAG =
  '{ type: object, required: [name], properties: { name: { type: string }, description: { type: string } } }';
const content = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

test('a replacement has the members of its own schema, and never another id', async () => {
  const document = `
openapi: 3.0.3
info: { title: Flags, version: '1' }
paths:
  /flags:
    post: { operationId: create, requestBody: { required: true, ${content(FLAG)} }, responses: { '201': { description: made, ${content(FLAG)} }, '400': { description: bad } } }
  /flags/{flagName}:
    parameters: [{ name: flagName, in: path, required: true, schema: { type: string } }]
    get: { operationId: read, responses: { '200': { description: ok, ${content(FLAG)} }, '404': { description: no } } }
    put: { operationId: replace, requestBody: { required: true, ${content('{ type: object, properties: { description: { type: string } } }')} }, responses: { '200': { description: ok, ${content(FLAG)} }, '400': { description: bad }, '404': { description: no } } }
`;
  const sheet = `
api: flags
contract: '1'
document: 1
policies:
  - kind: resource
    collection: flags
    id: { member: name, parameter: flagName, form: caller }
    operations: { create: create, read: read, replace: replace }
rules: []
unspecified: []
`;
  const flags = new Map<string, object>();
  const { report } = await judge(document, sheet, ({ method, target }, body) => {
    const name = decodeURIComponent(target.split('/')[2] ?? '');
    const sent = Object(body) as { readonly name?: unknown; readonly description?: unknown };
    if (sent.description !== undefined && typeof sent.description !== 'string') return json(400, {});
    if (method === 'POST') {
      if (typeof sent.name !== 'string' || Array.isArray(body)) return json(400, {});
      flags.set(sent.name, sent);
      return json(201, sent);
    }
    // A renaming is refused before the server looks for the flag.
    if (
      method === 'PUT' &&
      (body === null || typeof body !== 'object' || Array.isArray(body) || 'name' in sent)
    )
      return json(400, {});
    if (!flags.has(name)) return json(404, {});
    if (method === 'PUT') flags.set(name, { name, ...sent });
    return json(200, flags.get(name));
  });
  const verdicts = new Map(report.rules.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts.get('resource.flags.missing')).toBe('pass');
  expect(verdicts.get('resource.flags.replaced')).toBe('pass');
});

test('of a list or a thing, the thing is sent: an empty list makes nothing', async () => {
  const document = `
openapi: 3.0.3
info: { title: Flags, version: '1' }
paths:
  /flags:
    post: { operationId: create, requestBody: { required: true, ${content(`{ oneOf: [{ type: array, items: ${FLAG} }, ${FLAG}] }`)} }, responses: { '201': { description: made, ${content(FLAG)} } } }
  /flags/{flagName}:
    parameters: [{ name: flagName, in: path, required: true, schema: { type: string } }]
    get: { operationId: read, responses: { '200': { description: ok, ${content(FLAG)} }, '404': { description: no } } }
`;
  const { report, bodies } = await judge(document, undefined, ({ method }) =>
    json(method === 'POST' ? 201 : 200, { name: 'x' }),
  );
  const sent = bodies.filter(([request]) => request === 'POST /flags').map(([, body]) => body);
  expect(sent).toContainEqual({ name: expect.stringMatching(/^tallystick-/) });
  expect(report.rules.find(({ id }) => id === 'document.create.answer')?.verdict).toBe('pass');
});

test('each alternative of a body is sent once, but none that names what the run did not make', async () => {
  const kind = (name: string, members: string, required: string): string =>
    `{ type: object, required: [kind, ${required}], additionalProperties: false, properties: { kind: { const: ${name} }, ${members} } }`;
  const union = `{ oneOf: [${[
    kind('point', 'x: { type: number }', 'x'),
    kind('label', 'text: { type: string, minLength: 1 }', 'text'),
    kind('copy', 'shapeOwnerId: { type: integer, example: 7 }', 'shapeOwnerId'),
    kind('circle', 'radius: { type: number, minimum: 1 }', 'radius'),
  ].join(', ')}] }`;
  const document = `
openapi: 3.1.0
info: { title: Shapes, version: '1' }
paths:
  /shapes:
    post: { operationId: addShape, requestBody: { required: true, ${content(union)} }, responses: { '201': { description: Made., ${content('{ type: object, required: [id], properties: { id: { type: integer } } }')} }, '422': { description: No. } } }
  /shapes/{shapeId}:
    parameters: [{ name: shapeId, in: path, required: true, schema: { type: integer } }]
    delete: { operationId: dropShape, responses: { '204': { description: Gone. }, '404': { description: None. } } }
`;
  let last = 0;
  const { report, bodies } = await judge(document, undefined, ({ method }, body) => {
    if (method === 'DELETE') return { status: 204 };
    const shape = body as { kind?: string; radius?: number };
    // The last alternative meets an answer that the document does not have.
    if (shape.kind === 'circle' && typeof shape.radius === 'number') return json(201, { id: 'none' });
    return ['point', 'label'].includes(shape.kind ?? '') ? json(201, { id: (last += 1) }) : json(422, {});
  });
  const kinds = bodies.flatMap(([request, body]) =>
    request === 'POST /shapes' ? [(body as { kind?: string } | null)?.kind] : [],
  );
  expect(kinds).toEqual(expect.arrayContaining(['point', 'label', 'circle']));
  expect(bodies.filter(([, body]) => JSON.stringify(body).includes('"shapeOwnerId":7'))).toEqual([]);
  expect(report.rules.find(({ id }) => id === 'document.addShape.answer')?.verdict).toBe('fail');
});

test('a password that the suite makes up is shown, so that its script runs without it; one of the fixtures is not', async () => {
  const user = `{ type: object, required: [name, password], properties: { name: { type: string }, password: { type: string, format: password, minLength: 10 } } }`;
  const made = `'201': { description: Made., ${content('{ type: object, properties: { id: { type: integer } } }')} }`;
  const contract = await own(
    'users',
    `
openapi: 3.1.0
info: { title: Users, version: '1' }
paths:
  /users:
    post: { operationId: addUser, requestBody: { required: true, ${content(user)} }, responses: { ${made} } }
  /users/{userId}:
    parameters: [{ name: userId, in: path, required: true, schema: { type: integer } }]
    delete: { operationId: dropUser, responses: { '204': { description: Gone. } } }
`,
  );
  const sentBy = async (fixtures: object): Promise<string> => {
    const { transport } = scripted(({ method }) =>
      method === 'POST' ? json(201, { id: 1 }) : { status: 204 },
    );
    const report = await runConformance({
      ...{
        contracts: [contract],
        baseUrl: 'http://users.localhost',
        allow: permissions,
        transport,
        fixtures,
      },
    });
    return report.exchanges
      .flatMap(({ request }) => (request.method === 'POST' ? [JSON.stringify(request.body)] : []))
      .join('\n');
  };
  const hidden = String.raw`\"password\":\"$OTHER_KEY\"`;
  const shown = (await sentBy({})).split('\n').filter((body) => body.includes('password'));
  // Only passwords that are wrong on purpose are hidden.
  expect(shown.filter((body) => !body.includes(hidden)).length).toBeGreaterThan(shown.length / 2);
  const given = await sentBy({ bodies: { addUser: { name: 'Ada', password: 'correct horse' } } });
  expect(given).toContain(hidden);
  expect(given).not.toContain('correct horse');
});
