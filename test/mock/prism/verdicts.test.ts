import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadOwnContract } from '../../../contract/index.ts';
import type { ContractEngine, JudgedResponse } from '../../../mock/call/engine.ts';
import { prismEngine } from '../../../mock/prism/engine.ts';
import { Remembered } from '../../../mock/call/remembered.ts';

/** A long body of an answer that Prism found nothing against is judged once; one that differs in one character is judged by itself. */
const LONG = 600;

let engine: ContractEngine;
beforeEach(async () => {
  engine = prismEngine(await loadOwnContract('router'));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const told = (findings: ReturnType<ContractEngine['checkResponse']>): string[] =>
  findings.map(({ at, keyword }) => `${at} ${keyword}`);

describe('an answer', () => {
  const page = { data: [], has_more: false, limit: 20 };
  const answer = (more: Partial<JudgedResponse> = {}): JudgedResponse => ({
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Service-Request-Id', 'a'],
    ],
    ...{ body: page, bodyText: JSON.stringify(page).padEnd(LONG) },
    ...more,
  });
  const checked = (more: Partial<JudgedResponse>): string[] =>
    told(engine.checkResponse('listModels', answer(more)));

  test('has its body judged once, and its headers each time', () => {
    let reads = 0;
    const body = {
      ...page,
      get data(): readonly unknown[] {
        reads += 1;
        return [];
      },
    };
    const readsAfter = ['a', 'b', 'c'].map((id) => {
      const headers = [
        ['Content-Type', 'application/json'],
        ['X-Service-Request-Id', id],
      ] as const;
      expect(checked({ body, headers })).toStrictEqual([]);
      return reads;
    });
    expect(reads).toBeGreaterThan(0);
    expect(readsAfter).toStrictEqual([reads, reads, reads]);
    expect(checked({ headers: [['Content-Type', 'application/json']] })).toStrictEqual(['header required']);
  });

  const other = { ...page, has_more: 'no' };
  test.each<[string, Partial<JudgedResponse>, string]>([
    ['body', { body: other, bodyText: JSON.stringify(other).padEnd(LONG) }, 'body.has_more type'],
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

  test('an answer is never confused with another one, in any order', () => {
    const bodies = [page, other, {}, [], 'x', null, { data: [{ id: 'a/b', provider: 'a', model: 'b' }] }];
    const header = fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-8', '');
    const answers = fc.array(
      fc.record({
        status: fc.constantFrom(200, 400, 401, 409, 503),
        headers: fc.record({ 'Content-Type': header, 'X-Service-Request-Id': header }).map(Object.entries),
        body: fc.constantFrom(...bodies),
        length: fc.constantFrom(0, LONG),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(answers, (sent) => {
        for (const { length, ...parts } of [...sent, ...sent]) {
          const given = { ...parts, bodyText: JSON.stringify(parts.body).padEnd(length) };
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
