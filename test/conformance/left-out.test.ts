import { beforeAll, expect, test } from 'vitest';
import {
  compareReports,
  parseReport,
  planConformance,
  renderReport,
  runConformance,
} from '../../conformance/index.ts';
import type { ConformanceOptions, Report, WireRequest } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.0.3
info: { title: Users, version: '1' }
paths:
  /users:
    get:
      operationId: listUsers
      responses: { '200': { description: Users., content: { application/json: { schema: { type: array } } } } }
    post:
      operationId: addUser
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object } } } } }
  /users/{userId}:
    parameters: [{ name: userId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getUser
      responses: { '200': { description: A user., content: { application/json: { schema: { type: object } } } } }
    delete:
      operationId: removeUser
      responses: { '204': { description: Gone. } }
  /users/purge:
    post:
      operationId: purgeUsers
      tags: [danger]
      responses: { '204': { description: All are gone. } }
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('users', DOCUMENT);
});

function users({ method, target }: WireRequest): Scripted {
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  if (target === '/users') return method === 'GET' ? json(200, [{ id: 'u1' }]) : json(201, { id: 'u2' });
  if (method === 'DELETE' || target === '/users/purge') return { status: 204 };
  return target.startsWith('/users/') ? json(200, { id: 'u1' }) : { status: 404 };
}

async function judge(options: Partial<ConformanceOptions>): Promise<{ report: Report; sent: string[] }> {
  const { transport, requests } = scripted(users);
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    transport,
    ...options,
  });
  return { report, sent: requests.map(({ method, target }) => `${method} ${target}`) };
}

const verdictOf = ({ rules }: Report, id: string): string => {
  const found = rules.find((rule) => rule.id === id);
  return `${found?.verdict ?? 'none'}: ${found?.reason ?? ''}`;
};

test.each([
  ['its id', 'purgeUsers'],
  ['its tag', 'danger'],
])('an operation that is left out by %s is not called, and its rules say so', async (_, name) => {
  const fixtures = { writes: ['purgeUsers'] };
  expect((await judge({ fixtures })).sent).toContain('POST /users/purge');
  const { report, sent } = await judge({ except: [name], fixtures });
  expect(sent).not.toContain('POST /users/purge');
  expect(verdictOf(report, 'document.purgeUsers.answer')).toBe(
    `not-exercised: purgeUsers is left out by --except ${name}`,
  );
  expect(verdictOf(report, 'document.addUser.answer')).toMatch(/^pass/);
});

test('a list that is left out supplies no values, and a fixture takes its place', async () => {
  const except = ['listUsers', 'addUser'];
  const without = await judge({ except });
  expect(without.sent.filter((line) => line.endsWith(' /users'))).toEqual(['PROPFIND /users']);
  expect(verdictOf(without.report, 'document.removeUser.answer')).toBe(
    'not-exercised: addUser is left out by --except addUser',
  );
  const { report, sent } = await judge({ except, fixtures: { parameters: { 'removeUser.userId': 'u7' } } });
  expect(sent).toContain('DELETE /users/u7');
  expect(verdictOf(report, 'document.removeUser.answer')).toMatch(/^pass/);
});

test('what was made is not removed by an operation that is left out, and is judged all the same', async () => {
  const { report, sent } = await judge({ except: ['removeUser'] });
  expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  expect(verdictOf(report, 'document.addUser.answer')).toMatch(/^pass/);
});

test('an id that spells the path of an operation that is left out is not sent', async () => {
  const { sent } = await judge({
    except: ['removeUser', 'purgeUsers'],
    fixtures: { parameters: { userId: 'purge' } },
  });
  expect(sent).toContain('GET /users/purge');
  expect(sent.filter((line) => /^(?:POST|DELETE) .users.purge/.test(line))).toEqual([]);
});

test('only the chosen operations are called, by scenarios, openings and searches for unknown paths', async () => {
  const { report, sent } = await judge({ only: ['getUser'] });
  expect(new Set(sent.map((line) => line.replace(/users\/[^/]+$/, 'users/ID')))).toEqual(
    new Set(['GET /users/ID']),
  );
  expect(verdictOf(report, 'document.listUsers.answer')).toBe(
    'not-exercised: listUsers is left out by --only',
  );
});

test('a plan lists nothing that is left out', () => {
  const plan = planConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    except: ['listUsers', 'removeUser'],
  });
  const lines = plan.requests.map(({ method, operation }) => `${method} ${operation ?? ''}`);
  expect(lines).toContain('POST addUser');
  expect(lines).not.toContain('GET listUsers');
  expect(lines).not.toContain('DELETE removeUser');
  expect(plan.rulesClosed.find(({ rule }) => rule === 'document.listUsers.status')?.gap.reason).toBe(
    'listUsers is left out by --except listUsers',
  );
});

test('a misspelt name is refused before anything is sent', async () => {
  await expect(judge({ except: ['purgeUser'] })).rejects.toThrow(
    'there is no operation and no tag "purgeUser". Did you mean "purgeUsers"?',
  );
});

test('a report keeps the choice, its commands repeat it, and a comparison names it', async () => {
  const { transport } = scripted((request) =>
    request.target === '/users' ? { ...users(request), body: 5 } : users(request),
  );
  const { report } = await judge({ except: ['danger'], transport });
  expect(report.settings?.except).toEqual(['danger']);
  expect(parseReport(renderReport(report, 'json')).settings?.except).toEqual(['danger']);
  const broken = report.rules.find(({ id }) => id === 'document.listUsers.answer');
  expect(broken?.repeat?.replay).toContain('--except danger');
  expect(compareReports((await judge({})).report, report).doubts).toContain(
    'the chosen operations differ: all operations and --except danger',
  );
});

test('scenarios of a built-in API that would send an operation that is left out do not run', async () => {
  const router = await loadOwnContract('router');
  const [list] = router.operations.filter(({ method, path }) => method === 'get' && path === '/v1/models');
  const plan = planConformance({
    contracts: [router],
    baseUrl: 'http://localhost',
    credential: { header: 'X-API-Key', value: 'a-key-of-nobody' },
    allow: ['negatives'],
    except: [list?.id ?? ''],
  });
  const isList = ({ method, target }: { method: string; target: string }): boolean =>
    method === 'GET' && /^\/v1\/models(?:\?|$)/.test(target);
  expect(plan.requests.filter(isList)).toEqual([]);
  const gap = plan.rulesClosed.find(({ rule }) => rule === 'router.list.limit-clamped')?.gap;
  expect(gap).toMatchObject({
    verdict: 'not-exercised',
    reason: `${list?.id ?? ''} is left out by --except ${list?.id ?? ''}`,
  });
});
