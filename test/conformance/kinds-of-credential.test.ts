import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

type Kind = 'token' | 'basic' | 'session' | 'header' | 'query';
type Account = 'first' | 'second';

/** Which kinds of credential each operation takes. */
interface Takes {
  readonly add: readonly Kind[];
  readonly list: readonly Kind[];
  readonly read: readonly Kind[];
  readonly drop: readonly Kind[];
}

const SCHEMES: Readonly<Record<Kind, string>> = {
  token: '{ type: http, scheme: bearer }',
  basic: '{ type: http, scheme: basic }',
  session: '{ type: apiKey, in: cookie, name: sid }',
  header: '{ type: apiKey, in: header, name: X-Key }',
  query: '{ type: apiKey, in: query, name: key }',
};

const REFUSED = `'400': { description: No label. }
        '415': { description: No JSON. }
        '401': { description: Who are you? }
        '403': { description: Not with this kind of credential. }
        '404': { description: None. }`;
const CRATE = "content: { application/json: { schema: { $ref: '#/components/schemas/Crate' } } }";
const LIST =
  "content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Crate' } } } }";

const oneOf = (kinds: readonly Kind[]): string => `[${kinds.map((kind) => `{ ${kind}: [] }`).join(', ')}]`;

const documentOf = ({ add, list, read, drop }: Takes): string => `
openapi: 3.1.0
info: { title: Crates, version: '1' }
paths:
  /crates:
    get:
      operationId: listCrates
      security: ${oneOf(list)}
      responses:
        '200': { description: Crates., ${LIST} }
        ${REFUSED}
    post:
      operationId: addCrate
      security: ${oneOf(add)}
      requestBody: { required: true, ${CRATE} }
      responses:
        '201': { description: Added., ${CRATE} }
        ${REFUSED}
  /crates/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getCrate
      security: ${oneOf(read)}
      responses:
        '200': { description: The crate., ${CRATE} }
        ${REFUSED}
    delete:
      operationId: dropCrate
      security: ${oneOf(drop)}
      responses:
        '204': { description: Gone. }
        ${REFUSED}
  /crates/{id}/photo:
    get:
      operationId: getPhoto
      security: []
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: What everybody may see of it., ${CRATE} }
        '404': { description: None. }
components:
  securitySchemes:
${Object.entries(SCHEMES)
  .map(([kind, scheme]) => `    ${kind}: ${scheme}`)
  .join('\n')}
  schemas:
    Crate:
      type: object
      required: [label]
      properties: { id: { type: string, readOnly: true }, label: { type: string, minLength: 1, maxLength: 80 } }
`;

const SHEET = `
api: crates
contract: '1'
document: 1
policies:
  - kind: resource
    collection: crates
    id: { member: id }
    operations: { create: addCrate, list: listCrates, read: getCrate, delete: dropCrate }
    otherCaller: { status: 404 }
rules: []
unspecified: []
`;

/** The credentials of two accounts; those of one kind are of no use for another. */
const values: Readonly<Record<Account, Readonly<Record<Kind, string>>>> = {
  first: {
    token: 'token-one',
    basic: 'Basic b25lOm9uZQ==',
    session: 'session-one',
    header: 'header-one',
    query: 'query-one',
  },
  second: {
    token: 'token-two',
    basic: 'Basic dHdvOnR3bw==',
    session: 'session-two',
    header: 'header-two',
    query: 'query-two',
  },
};

const ACCOUNTS = ['first', 'second'] as const;
const KINDS = Object.keys(SCHEMES) as Kind[];

/** What a request shows of its caller. */
function callersIn(request: WireRequest): readonly { readonly kind: Kind; readonly account: Account }[] {
  const shown: Readonly<Record<Kind, string | undefined>> = {
    token: /^Bearer (.*)$/.exec(headerIn(request, 'Authorization') ?? '')?.[1],
    basic: headerIn(request, 'Authorization'),
    session: /(?:^|; )sid=([^;]*)/.exec(headerIn(request, 'Cookie') ?? '')?.[1],
    header: headerIn(request, 'X-Key'),
    query: new URL(request.target, 'http://crates').searchParams.get('key') ?? undefined,
  };
  return KINDS.flatMap((kind) =>
    ACCOUNTS.filter((account) => shown[kind] === values[account][kind]).map((account) => ({ kind, account })),
  );
}

function labelIn({ body }: WireRequest): unknown {
  try {
    return (JSON.parse(Buffer.from(body ?? []).toString()) as { readonly label?: unknown } | null)?.label;
  } catch {
    return undefined;
  }
}

/** A server that keeps its contract: it refuses a credential of a kind that the operation does not take. */
function crates(takes: Takes): (request: WireRequest) => Scripted {
  const stored = new Map<string, { readonly account: Account; readonly label: unknown }>();
  let count = 0;
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body,
  });
  return (request) => {
    const [, collection = '', id, photo] = new URL(request.target, 'http://crates').pathname.split('/');
    if (collection !== 'crates') return json(404, {});
    const role =
      id !== undefined
        ? request.method === 'DELETE'
          ? 'drop'
          : 'read'
        : request.method === 'POST'
          ? 'add'
          : 'list';
    const callers = callersIn(request);
    const caller = callers.find(({ kind }) => takes[role].includes(kind));
    if (photo !== undefined)
      return photo === 'photo' && stored.has(id ?? '')
        ? json(200, { id, label: stored.get(id ?? '')?.label })
        : json(404, {});
    if (caller === undefined) return json(callers.length > 0 ? 403 : 401, {});
    if (role === 'list')
      return json(
        200,
        [...stored].flatMap(([own, { account, label }]) =>
          account === caller.account ? [{ id: own, label }] : [],
        ),
      );
    if (role === 'add') {
      if (!/json/.test(headerIn(request, 'Content-Type') ?? '')) return json(415, {});
      const label = labelIn(request);
      if (typeof label !== 'string' || label.length < 1 || label.length > 80) return json(400, {});
      const made = `crate-${String((count += 1))}`;
      stored.set(made, { account: caller.account, label });
      return json(201, { id: made, label });
    }
    const found = stored.get(id ?? '');
    if (found?.account !== caller.account) return json(404, {});
    if (role === 'read') return json(200, { id, label: found.label });
    stored.delete(id ?? '');
    return { status: 204 };
  };
}

async function judged(takes: Takes, cred: NonNullable<Fixtures['cred']>): Promise<Report> {
  return runConformance({
    contracts: [await own('crates', documentOf(takes), SHEET)],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    fixtures: { cred },
    transport: scripted(crates(takes)).transport,
  });
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);
const verdictOf = ({ rules }: Report, rule: string): string | undefined =>
  rules.find(({ id }) => id === rule)?.verdict;

const same = (...kinds: readonly Kind[]): Takes => ({ add: kinds, list: kinds, read: kinds, drop: kinds });
const { first, second } = values;

test.each<[string, Takes, NonNullable<Fixtures['cred']>]>([
  [
    'a token where there are cookies too',
    { ...same('token'), list: ['token', 'session'] },
    { jwt: first.token, secondAccount: second.token },
  ],
  [
    'a cookie where there are tokens too',
    same('token', 'session'),
    { valid: { cookie: 'sid', value: first.session }, secondAccount: second.session },
  ],
  [
    'a name and a password',
    same('basic'),
    { valid: { header: 'Authorization', value: first.basic }, secondAccount: second.basic },
  ],
  [
    'a name and a password where there are keys',
    { ...same('basic'), list: ['header', 'basic'] },
    { valid: { header: 'Authorization', value: first.basic }, secondAccount: second.basic },
  ],
  [
    'a key in the query',
    same('query'),
    { valid: { query: 'key', value: first.query }, secondAccount: second.query },
  ],
  [
    'a key in the query where there is one in a header',
    same('header', 'query'),
    { valid: { query: 'key', value: first.query }, secondAccount: second.query },
  ],
])('a second account by %s', async (_what, takes, cred) => {
  const report = await judged(takes, cred);
  expect(report.findings).toEqual([]);
  expect(broken(report)).toEqual([]);
  expect(verdictOf(report, 'resource.crates.owned')).toBe('pass');
});

test.each<[string, Takes, NonNullable<Fixtures['cred']>, string]>([
  [
    'reads take a token, and the second account has a key',
    { ...same('header'), read: ['token'] },
    { apiKey: first.header, jwt: first.token, secondAccount: second.header },
    'not-exercised',
  ],
  [
    'reads take a token, and the accounts have cookies',
    { ...same('session'), read: ['token'] },
    { valid: { cookie: 'sid', value: first.session }, secondAccount: second.session },
    'not-exercised',
  ],
])('another caller is no fault where %s', async (_what, takes, cred, verdict) => {
  const report = await judged(takes, cred);
  expect(report.findings).toEqual([]);
  expect(broken(report)).toEqual([]);
  expect(verdictOf(report, 'resource.crates.owned')).toBe(verdict);
});

test('of a second account with a key and a token each operation gets what it takes', async () => {
  const report = await judged(
    { ...same('header'), read: ['token'] },
    { apiKey: first.header, jwt: first.token, secondAccount: second.header, secondJwt: second.token },
  );
  expect(report.findings).toEqual([]);
  expect(broken(report)).toEqual([]);
  expect(verdictOf(report, 'resource.crates.owned')).toBe('pass');
});

test.each<[string, Takes]>([
  ['most take a token', { ...same('token'), drop: ['header'] }],
  ['most take a key', { ...same('header'), drop: ['token'] }],
])('of a key and a token each operation gets what it takes: %s', async (_what, takes) => {
  const report = await judged(takes, { apiKey: first.header, jwt: first.token });
  expect(report.findings).toEqual([]);
  expect(broken(report)).toEqual([]);
  expect(verdictOf(report, 'document.getCrate.answer')).toBe('pass');
  expect(verdictOf(report, 'document.dropCrate.answer')).toBe('pass');
});
