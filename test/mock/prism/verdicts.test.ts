import fc from 'fast-check';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadOwnContract } from '../../../contract/index.ts';
import type { ContractEngine, JudgedRequest, JudgedResponse } from '../../../mock/call/engine.ts';
import { prismEngine } from '../../../mock/prism/engine.ts';
import { Remembered } from '../../../mock/call/remembered.ts';

/** What Prism found nothing against, it looks at once; anything else, however little it differs, is judged by itself. */
type Step = (judged: { readonly element: unknown }) => unknown;
const prism = createRequire(import.meta.url)('@stoplight/prism-http/dist/validator/index.js') as {
  validateInput: Step;
  validateOutput: Step;
};

let engine: ContractEngine;
beforeEach(async () => {
  engine = await prismEngine(await loadOwnContract('router'));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const told = (findings: ReturnType<ContractEngine['checkRequest']>): string[] =>
  findings.map(({ at, keyword }) => `${at} ${keyword}`);

const run: JudgedRequest = {
  method: 'post',
  path: '/v1/models/acme/echo-1',
  query: [],
  headers: { 'x-api-key': 'k', 'content-type': 'application/json' },
  body: { prompt: 'x' },
  bodyText: '{"prompt":"x"}',
};
const list: JudgedRequest = {
  method: 'get',
  path: '/v1/models',
  query: [],
  headers: { 'x-api-key': 'k' },
  body: undefined,
};

describe('a request', () => {
  test('that is equal is judged once, whatever else its headers say', () => {
    const judge = vi.spyOn(prism, 'validateInput');
    for (const trace of ['a', 'b', 'c']) {
      const headers = { ...run.headers, traceparent: trace, host: `${trace}.example` };
      expect(engine.checkRequest('runModel', { ...run, headers })).toStrictEqual([]);
    }
    expect(judge).toHaveBeenCalledTimes(1);
  });

  test.each<[string, Partial<JudgedRequest>, string[]]>([
    ['body', { body: [], bodyText: '[]' }, ['body type']],
    ['media type', { headers: { ...run.headers, 'content-type': 'text/plain' } }, ['body 415']],
    ['credential', { headers: { 'content-type': 'application/json' } }, ['security 401']],
    ['path', { path: '/v1/models/acme/E' }, ['path.model pattern']],
  ])('with another %s is judged anew', (_what, other, found) => {
    expect(engine.checkRequest('runModel', run)).toStrictEqual([]);
    expect(told(engine.checkRequest('runModel', { ...run, ...other }))).toStrictEqual(found);
    expect(told(engine.checkRequest('runModel', { ...run, ...other }))).toStrictEqual(found);
    expect(engine.checkRequest('runModel', run)).toStrictEqual([]);
  });

  test('whose body came without its text is judged each time', () => {
    const { bodyText: _text, ...untold } = run;
    expect(engine.checkRequest('runModel', untold)).toStrictEqual([]);
    expect(told(engine.checkRequest('runModel', { ...untold, body: [] }))).toStrictEqual(['body type']);
  });

  test('is never taken for another one, in whatever order they come', () => {
    const text = fc.constantFrom('', 'x', '1', '101', '"', '],[', '\n', ' ', '!', 'limit');
    const query = fc.array(fc.record({ name: fc.constantFrom('limit', 'cursor', 'x'), value: text }), {
      maxLength: 3,
    });
    const headers = fc.dictionary(fc.constantFrom('x-api-key', 'authorization', 'cookie'), text);
    const requests = fc.array(fc.record({ query, headers }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(requests, (sent) => {
        for (const parts of [...sent, ...sent]) {
          const asked = { ...list, ...parts };
          const found = engine.checkRequest('listModels', asked);
          expect(found).toStrictEqual(withoutMemory(() => engine.checkRequest('listModels', asked)));
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('an answer', () => {
  const page = { data: [], has_more: false, limit: 20 };
  const answer = (more: Partial<JudgedResponse> = {}): JudgedResponse => ({
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Service-Request-Id', 'a'],
    ],
    ...{ body: page, bodyText: JSON.stringify(page) },
    ...more,
  });
  const checked = (more: Partial<JudgedResponse>): string[] =>
    told(engine.checkResponse('listModels', answer(more)));

  test('has its body judged once, and its headers each time', () => {
    const judge = vi.spyOn(prism, 'validateOutput');
    for (const id of ['a', 'b', 'c'])
      expect(
        checked({
          headers: [
            ['Content-Type', 'application/json'],
            ['X-Service-Request-Id', id],
          ],
        }),
      ).toStrictEqual([]);
    expect(judge).toHaveBeenCalledTimes(1);
    expect(checked({ headers: [['Content-Type', 'application/json']] })).toStrictEqual(['header required']);
  });

  const other = { ...page, has_more: 'no' };
  test.each<[string, Partial<JudgedResponse>, string]>([
    ['body', { body: other, bodyText: JSON.stringify(other) }, 'body.has_more type'],
    ['status', { status: 400 }, 'header required'],
    ['status that is declared nowhere', { status: 409 }, 'status undeclared'],
    [
      'media type',
      {
        headers: [
          ['Content-Type', 'text/plain'],
          ['X-Service-Request-Id', 'a'],
        ],
      },
      'content-type undeclared',
    ],
  ])('with another %s is judged anew', (_what, more, found) => {
    expect(checked({})).toStrictEqual([]);
    expect(checked(more)).toContain(found);
    expect(checked(more)).toContain(found);
    expect(checked({})).toStrictEqual([]);
  });

  test('is never taken for another one, in whatever order they come', () => {
    const bodies = [page, other, {}, [], 'x', null, { data: [{ id: 'a/b', provider: 'a', model: 'b' }] }];
    const header = fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-8', '');
    const answers = fc.array(
      fc.record({
        status: fc.constantFrom(200, 400, 401, 409, 503),
        headers: fc.record({ 'Content-Type': header, 'X-Service-Request-Id': header }).map(Object.entries),
        body: fc.constantFrom(...bodies),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(answers, (sent) => {
        for (const parts of [...sent, ...sent]) {
          const given = { ...parts, bodyText: JSON.stringify(parts.body) };
          const found = engine.checkResponse('listModels', given);
          expect(found).toStrictEqual(withoutMemory(() => engine.checkResponse('listModels', given)));
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** What the engine says when it remembers nothing. */
function withoutMemory<Found>(check: () => Found): Found {
  const memory = vi.spyOn(Remembered.prototype, 'get').mockReturnValue(undefined);
  const found = check();
  memory.mockRestore();
  return found;
}
