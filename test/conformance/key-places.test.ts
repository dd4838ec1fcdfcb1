import { expect, test } from 'vitest';
import {
  curlScripts,
  readFixtures,
  renderReport,
  replayExchange,
  reportFormats,
  runConformance,
} from '../../conformance/index.ts';
import type { Fixtures, Report, Transport, WireRequest } from '../../conformance/index.ts';
import { ownFixturesTemplate } from '../../conformance/probes/own-fixtures.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted } from './servers.ts';

const SECRET = 'planted key+0001/=';

const document = (place: 'query' | 'cookie'): string => `
openapi: 3.0.3
info: { title: Rooms, version: '1' }
security: [{ key: [] }]
paths:
  /rooms:
    get:
      operationId: listRooms
      responses:
        '200': { description: Rooms., content: { application/json: { schema: { type: array } } } }
        '401': { description: Who are you? }
    post:
      operationId: addRoom
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: Made. }, '401': { description: Who are you? } }
components:
  securitySchemes: { key: { type: apiKey, in: ${place}, name: api_key } }
`;

const SHEET = `
api: rooms
contract: "1"
document: 1
policies: [{ kind: credentials }]
rules: []
unspecified: []
`;

interface Faults {
  readonly letsIn?: (key: string | undefined) => boolean;
  readonly list?: unknown;
}

/** Reads the key from the query and from the cookie, and tells everybody what it was asked. */
function rooms({ letsIn = (key) => key === SECRET, list = [] }: Faults = {}): {
  readonly transport: Transport;
  readonly requests: WireRequest[];
} {
  return scripted((request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://rooms');
    const cookie = /(?:^|; )api_key=([^;]*)/.exec(headerIn(request, 'cookie') ?? '')?.[1];
    const key = searchParams.get('api_key') ?? cookie;
    if (pathname !== '/rooms') return { status: 404, body: { asked: request.target } };
    if (!letsIn(key)) return { status: 401, body: { asked: request.target } };
    return request.method === 'POST'
      ? { status: 201, body: {} }
      : { status: 200, headers: { 'Content-Type': 'application/json' }, body: list };
  });
}

const contracts = new Map<string, Promise<Contract>>();
const contractOf = (place: 'query' | 'cookie'): Promise<Contract> => {
  const made = contracts.get(place) ?? own('rooms', document(place), SHEET);
  contracts.set(place, made);
  return made;
};

async function judge(
  place: 'query' | 'cookie',
  { transport }: { readonly transport: Transport },
  fixtures: Fixtures = { cred: { valid: credentials[place] }, writes: ['addRoom'] },
): Promise<Report> {
  return runConformance({
    contracts: [await contractOf(place)],
    baseUrl: 'http://rooms.localhost',
    allow: ['negatives', 'writes'],
    rules: ['credentials.*', '*.security', 'document.listRooms.answer'],
    fixtures,
    transport,
  });
}

const credentials = {
  query: { query: 'api_key', value: SECRET },
  cookie: { cookie: 'api_key', value: encodeURIComponent(SECRET) },
} as const;

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);
const passed = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);

const takesCookie = { letsIn: (key?: string) => [SECRET, encodeURIComponent(SECRET)].includes(key ?? '') };

test.each(['query', 'cookie'] as const)('the API accepts a key in the %s and nothing else', async (place) => {
  const server = rooms(takesCookie);
  const report = await judge(place, server);
  expect(broken(report)).toEqual([]);
  expect(passed(report)).toEqual(
    expect.arrayContaining([
      'credentials.none',
      'credentials.refused',
      'document.listRooms.answer',
      'document.listRooms.security',
      'document.addRoom.security',
    ]),
  );
  const empty = server.requests.filter(
    (one) => /[?&]api_key=(?:&|$)/.test(one.target) || headerIn(one, 'cookie') === 'api_key=',
  );
  expect(empty.length).toBeGreaterThan(0);
});

test.each(['query', 'cookie'] as const)(
  'a server that does not require the key in the %s is detected',
  async (place) => {
    expect(broken(await judge(place, rooms({ letsIn: () => true })))).toEqual(
      expect.arrayContaining(['credentials.none', 'credentials.refused', 'document.addRoom.security']),
    );
    const any = await judge(place, rooms({ letsIn: (key) => key !== undefined }));
    expect(broken(any)).toEqual(['credentials.refused']);
  },
);

test('a key that is given as a header is the credential: calls without one leave it out', async () => {
  const contract = await own(
    'rooms',
    document('query').replace('in: query, name: api_key', 'in: header, name: X-Key'),
    SHEET,
  );
  const server = scripted((request) => {
    if (!request.target.startsWith('/rooms')) return { status: 404, body: {} };
    return headerIn(request, 'x-key') === SECRET
      ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: [] }
      : { status: 401, body: {} };
  });
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://rooms.localhost',
    allow: ['negatives'],
    headers: [['x-key', SECRET]],
    transport: server.transport,
  });
  expect(broken(report)).toEqual([]);
  expect(passed(report)).toEqual(expect.arrayContaining(['credentials.none', 'document.listRooms.security']));
  expect(server.requests.some((one) => headerIn(one, 'x-key') === undefined)).toBe(true);
});

test('a server that accepts any key is detected if the fixtures name a refused one', async () => {
  const fixtures = { cred: { valid: credentials.query, refused: 'a key of last year' }, writes: ['addRoom'] };
  const isAny = { letsIn: (key?: string) => (key ?? '') !== '' };
  expect(broken(await judge('query', rooms(isAny)))).toEqual([]);
  expect(broken(await judge('query', rooms(isAny), fixtures))).toEqual([
    'document.listRooms.security',
    'document.addRoom.security',
  ]);
  expect(broken(await judge('query', rooms(), fixtures))).toEqual([]);
});

test.each(['query', 'cookie'] as const)('a key in the %s is in no report and in no script', async (place) => {
  const report = await judge(place, rooms({ ...takesCookie, list: { not: 'a list' } }));
  expect(broken(report)).toContain('document.listRooms.answer');
  const texts = [
    JSON.stringify(report),
    ...reportFormats.map((format) => renderReport(report, format)),
    ...Object.values(curlScripts(report)),
  ].join('\n');
  for (const spelled of [SECRET, encodeURIComponent(SECRET), 'planted%20key', 'planted+key'])
    expect(texts).not.toContain(spelled);
  const rule = report.rules.find(({ id }) => id === 'document.listRooms.answer');
  expect(rule?.repeat?.curl).toContain(
    place === 'query' ? `'http://rooms.localhost/rooms?api_key='"$API_KEY"` : `-H "Cookie: api_key=$API_KEY"`,
  );
});

test('a call with its key in the query is sent again with that key, and with no other secret', async () => {
  const server = rooms({ list: { not: 'a list' } });
  const report = await judge('query', server);
  const [id = ''] = report.rules.find(({ id: one }) => one === 'document.listRooms.answer')?.exchanges ?? [];
  const { now } = await replayExchange(report, id, { ...server, secrets: { $API_KEY: SECRET } });
  expect(now.answer?.status).toBe(200);
  expect(now.request.target).toBe('/rooms?api_key=$API_KEY');
  const [first, ...others] = report.exchanges.filter((one) => one.id === id);
  if (first === undefined || others.length > 0) throw new Error('no exchange');
  const target = '/rooms?cursor=$PAT&api_key=$API_KEY';
  const forged = { ...report, exchanges: [{ ...first, request: { ...first.request, target } }] };
  const secrets = { $API_KEY: SECRET, $PAT: 'another' };
  await expect(replayExchange(forged, id, { ...server, secrets })).rejects.toThrow('contains $PAT');
});

test('the template of fixtures shows where the key goes', async () => {
  for (const place of ['query', 'cookie'] as const) {
    const template = ownFixturesTemplate(await contractOf(place));
    expect(template).toContain(`#    ${place}: "api_key"\n#    value: $API_KEY`);
    const filled = readFixtures(template.replaceAll(/^#(?! \S)/gm, ''), { API_KEY: 'k', REFUSED_KEY: 'r' });
    expect(filled).toMatchObject({
      ok: true,
      fixtures: { cred: { valid: { [place]: 'api_key', value: 'k' }, refused: 'r' } },
    });
  }
});

test('a credential has exactly one place', () => {
  const diagnosed = (text: string): unknown => {
    const result = readFixtures(text, {});
    return result.ok ? undefined : result.diagnostics.map(({ message }) => message);
  };
  expect(diagnosed('cred: { valid: { value: k } }')).toEqual([
    'missing property header, query or cookie in cred.valid',
  ]);
  expect(diagnosed('cred: { valid: { header: A, query: b, value: k } }')).toEqual([
    'cred.valid has header and query, and only one of them can carry the credential',
  ]);
});
