import { beforeAll, expect, test } from 'vitest';
import { exitCode, planConformance, renderReport, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Permission, Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.0.3
info: { title: Pets, version: '1' }
security: [{ key: [] }]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: kind, in: query, schema: { type: string, enum: [cat, dog] } }]
      responses:
        '200':
          description: Pets.
          headers: { X-Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
        '400': { description: A bad parameter. }
    post:
      operationId: addPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewPet' } } }
      responses:
        '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '422': { description: A bad body. }
  /pets/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPet
      responses:
        '200': { description: A pet., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '404': { description: No such pet. }
    delete:
      operationId: removePet
      responses: { '204': { description: Gone. } }
  /health:
    get:
      operationId: health
      security: []
      responses: { '200': { description: Well., content: { text/plain: { schema: { type: string } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties: { id: { type: string }, name: { type: string }, tag: { type: string, nullable: true } }
    NewPet: { type: object, required: [name], properties: { name: { type: string, minLength: 1 } } }
`;

const SECRET = 'a-secret-key-of-pets';
let contract: Contract;
beforeAll(async () => {
  contract = await own('pets', DOCUMENT);
});

/** A server that keeps to the document. */
function pets(): (request: WireRequest) => Scripted {
  const stored = new Map([['p1', { id: 'p1', name: 'Tom', tag: null }]]);
  const json = (status: number, body: unknown, headers: Record<string, string> = {}): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'private', ...headers },
    body,
  });
  return (request) => {
    const { method } = request;
    const [path = '', query = ''] = request.target.split('?');
    if (path === '/health') return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'well' };
    const [, collection, id, ...rest] = path.split('/');
    if (collection !== 'pets' || rest.length > 0) return { status: 404 };
    if (headerIn(request, 'X-Key') !== SECRET) return { status: 401 };
    if (id === undefined && method === 'GET') {
      const kind = new URLSearchParams(query).get('kind');
      if (kind !== null && kind !== 'cat' && kind !== 'dog') return { status: 400 };
      return json(200, [...stored.values()], { 'X-Total': String(stored.size) });
    }
    if (id === undefined && method === 'POST') {
      if (headerIn(request, 'Content-Type') !== 'application/json') return { status: 415 };
      const name = nameIn(request.body);
      if (name === undefined) return { status: 422 };
      const made = { id: `p${stored.size + 1}`, name, tag: null };
      stored.set(made.id, made);
      return json(201, made);
    }
    const pet = stored.get(id ?? '');
    if (pet === undefined) return { status: id === undefined ? 405 : 404 };
    if (method === 'GET') return json(200, pet);
    stored.delete(pet.id);
    return { status: method === 'DELETE' ? 204 : 405 };
  };
}

function nameIn(body: Uint8Array | undefined): string | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as { name?: unknown } | null;
    return typeof value?.name === 'string' && value.name !== '' ? value.name : undefined;
  } catch {
    return undefined;
  }
}

type Change = (answer: Scripted, request: WireRequest) => Scripted;

async function judge(
  change: Change = (answer) => answer,
  options: Partial<ConformanceOptions> = {},
): Promise<{ report: Report; requests: readonly WireRequest[] }> {
  const serve = pets();
  const { transport, requests } = scripted((request) => change(serve(request), request));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: { header: 'X-Key', value: SECRET },
    allow: ['writes', 'negatives'],
    transport,
    ...options,
  });
  return { report, requests };
}

const broken = ({ rules }: Report): string[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

test('a server that keeps to its document passes every rule of it, and its secret is in no report', async () => {
  const { report } = await judge();
  expect(report.rules.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'document.listPets.answer pass',
    'document.listPets.status pass',
    'document.listPets.security pass',
    'document.listPets.bad-parameter pass',
    'document.addPet.answer pass',
    'document.addPet.status pass',
    'document.addPet.security pass',
    'document.addPet.bad-body pass',
    'document.addPet.media-type pass',
    'document.getPet.answer pass',
    'document.getPet.status pass',
    'document.getPet.security pass',
    'document.removePet.answer pass',
    'document.removePet.status pass',
    'document.removePet.security pass',
    'document.health.answer pass',
    'document.health.status pass',
  ]);
  expect(report.observations.map(({ id, seen }) => [id, seen])).toEqual([
    ['document.unknown-path', ['404']],
    ['document.unknown-method', ['401 without Allow']],
  ]);
  expect(exitCode(report)).toBe(0);
  for (const format of ['json', 'text', 'html', 'junit'] as const)
    expect(renderReport(report, format)).not.toContain(SECRET);
});

const at = (method: string, path: RegExp, change: (answer: Scripted) => Scripted): Change => {
  return (answer, request) =>
    request.method === method && path.test(request.target) && answer.status < 300 ? change(answer) : answer;
};

test.each<[string, Change, string[]]>([
  [
    'a member of the wrong type',
    at('GET', /pets\/p/, (a) => ({ ...a, body: { id: 1, name: 'Tom' } })),
    ['document.getPet.answer'],
  ],
  [
    'a body that is no JSON',
    at('GET', /pets\/p/, (a) => ({ ...a, body: 'Tom' })),
    ['document.getPet.answer'],
  ],
  ['no body', at('GET', /pets\/p/, (a) => ({ ...a, body: undefined })), ['document.getPet.answer']],
  [
    'another media type',
    at('GET', /health/, (a) => ({ ...a, headers: { 'Content-Type': 'text/html' } })),
    ['document.health.answer'],
  ],
  [
    'a header that is missing',
    at('GET', /pets(\?|$)/, (a) => ({ ...a, headers: { 'Content-Type': 'application/json' } })),
    ['document.listPets.answer'],
  ],
  [
    'a header by another schema',
    at('GET', /pets(\?|$)/, (a) => ({ ...a, headers: { ...a.headers, 'X-Total': 'one' } })),
    ['document.listPets.answer'],
  ],
  [
    'a status that is not declared',
    at('GET', /health/, (a) => ({ ...a, status: 203 })),
    ['document.health.status'],
  ],
  [
    'a wrong body of what a write makes',
    at('POST', /pets/, (a) => ({ ...a, body: { ...(a.body as object), name: 5 } })),
    ['document.addPet.answer'],
  ],
  [
    'an open door',
    (answer) =>
      answer.status === 401
        ? { status: 200, headers: { 'Content-Type': 'application/json', 'X-Total': '0' }, body: [] }
        : answer,
    [
      'document.listPets.security',
      'document.getPet.security',
      'document.getPet.answer',
      'document.removePet.security',
      'document.addPet.security',
      'document.addPet.status',
      'document.removePet.status',
    ],
  ],
  [
    'a bad parameter that is taken',
    (answer, { target }) =>
      target.includes('no-such') && answer.status === 400
        ? { status: 200, headers: { 'Content-Type': 'application/json', 'X-Total': '0' }, body: [] }
        : answer,
    ['document.listPets.bad-parameter'],
  ],
  [
    'a failure on a bad body',
    (answer) => (answer.status === 422 ? { status: 500 } : answer),
    ['document.addPet.bad-body', 'document.addPet.status'],
  ],
  [
    'any media type taken',
    (answer) =>
      answer.status === 415
        ? { status: 201, headers: { 'Content-Type': 'application/json' }, body: { id: 'p', name: 'n' } }
        : answer,
    ['document.addPet.media-type'],
  ],
])('%s breaks its rule and no other', async (_, change, rules) => {
  const { report } = await judge(change);
  expect(broken(report).toSorted()).toEqual(rules.toSorted());
});

test('by default only reads are sent, and calls without a credential that read', async () => {
  const { report, requests } = await judge(undefined, { allow: [] });
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET', 'PROPFIND']));
  expect(report.rules.find(({ id }) => id === 'document.addPet.answer')).toMatchObject({
    verdict: 'not-exercised',
    missing: '--allow writes',
  });
});

test('a run sends no more than the plan announced', async () => {
  const allow: readonly Permission[] = ['writes', 'negatives'];
  const plan = planConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: { header: 'X-Key', value: SECRET },
    allow,
  });
  const { report, requests } = await judge();
  expect(requests.length).toBeLessThanOrEqual(plan.requestsAtMost);
  expect(report.requests.billable).toBeLessThanOrEqual(plan.billedAtMost);
});

test('a write changes only resources that the suite has created', async () => {
  const { requests } = await judge();
  const removed = requests.filter(
    ({ method, headers }) => method === 'DELETE' && headers.some(([name]) => name === 'X-Key'),
  );
  expect(removed.length).toBeGreaterThan(0);
  expect(removed.map(({ target }) => target)).not.toContain('/pets/p1');
});

test('a list without items leaves the read of one open, and says which fixture helps', async () => {
  const empty: Change = (answer, { method, target }) =>
    method === 'GET' && /^\/pets(\?|$)/.test(target) && answer.status === 200
      ? { ...answer, body: [] }
      : answer;
  const rule = (report: Report): unknown => report.rules.find(({ id }) => id === 'document.getPet.answer');
  expect(rule((await judge(empty, { allow: [] })).report)).toMatchObject({
    verdict: 'not-exercised',
    fixtureLine: '"parameters": { "petId": "…" }',
  });
  const { report } = await judge(empty, { allow: [], fixtures: { parameters: { petId: 'p1' } } });
  expect(rule(report)).toMatchObject({ verdict: 'pass' });
});

test('a base URL without the API is not served, and nothing is judged', async () => {
  const { report } = await judge(() => ({ status: 404 }));
  expect([report.status, exitCode(report)]).toEqual(['not-served', 3]);
});

test('a rule of a sheet that nothing judges ends the run with exit code 2 and its name, unless it says why it cannot be seen', async () => {
  const sheet = (more: string): string => `
api: pets
contract: '1'
document: 1
policies: []
rules:
  - { id: pets.songs.sung, level: must, says: The server sings., source: { document: 1, section: s, item: i }, needs: [], audience: server${more} }
unspecified: []
`;
  const deaf = await own('pets', DOCUMENT, sheet(''));
  const { report } = await judge(undefined, { contracts: [deaf] });
  expect(report.findings).toMatchObject([{ kind: 'unjudgeable', about: 'pets.songs.sung' }]);
  expect(exitCode(report)).toBe(2);
  expect(renderReport(report, 'text')).toContain('pets.songs.sung');
  const told = await own('pets', DOCUMENT, sheet(', unobservable: It has no sound.'));
  expect(exitCode((await judge(undefined, { contracts: [told] })).report)).toBe(0);
});
