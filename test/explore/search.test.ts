import { expect, test } from 'vitest';
import { check } from '../../conformance/scenarios/check.ts';
import { makeExchange } from '../../conformance/exchanges/exchange.ts';
import type { Exchange } from '../../conformance/exchanges/exchange.ts';
import { operation } from '../../conformance/explore/model.ts';
import type { ContractModel } from '../../conformance/explore/model.ts';
import { Quota } from '../../conformance/explore/quota.ts';
import { search } from '../../conformance/explore/search.ts';
import type { Oracle } from '../../conformance/oracle.ts';
import { Hindered } from '../../conformance/scenarios/scenario.ts';
import type { Check, Session } from '../../conformance/scenarios/scenario.ts';
import { seededRandom } from '../../conformance/schemas/seed.ts';

/** A shelf: what was put on it can be taken once. */
interface Shelf {
  readonly things: string[];
}

const model: ContractModel<Shelf, 'put' | 'take'> = {
  start: () => ({ things: [] }),
  operations: {
    put: operation({
      factors: { colour: ['red', 'green', 'blue'], size: ['small', 'large'] },
      sends: () => ({ put: 1 }),
      perform: async function* ({ state, session, choices: { colour, size } }) {
        await session.send('put', { body: `${size} ${colour}` });
        state.things.push(`${size} ${colour}`);
        yield* [];
      },
    }),
    take: operation({
      factors: { which: ['last', 'first'] },
      sends: () => ({ take: 1 }),
      isPossible: ({ things }) => things.length > 0,
      perform: async function* ({ state, session, choices: { which } }) {
        const thing = which === 'last' ? state.things.pop() : state.things.shift();
        const answer = await session.send('take', { body: which });
        yield check('shelf.same', answer, answer.json === thing, String(thing), String(answer.json));
      },
    }),
  },
  opening: [],
};

/** A shelf that answers, with a fault or without one. */
function shelf(
  explore: number,
  seed: string,
  fault: (things: string[], which: string) => string | undefined,
) {
  const sent: string[] = [];
  const courses: number[] = [];
  let things: string[] = [];
  let count = 0;
  const answer = (value: unknown): Exchange =>
    makeExchange({
      id: `x${String((count += 1)).padStart(4, '0')}`,
      api: 'shelf',
      scenario: 'shelf.explore',
      request: { method: 'POST', target: '/', headers: [], body: undefined, as: 'valid' },
      answer: {
        status: 200,
        headers: [],
        body: new TextEncoder().encode(JSON.stringify(value)),
        informational: [],
      },
      failure: undefined,
      startedAt: count,
      endedAt: count,
    });
  const session = {
    explore,
    random: seededRandom(seed),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    startCourse: () => {
      things = [];
      courses.push(sent.length);
    },
    send: (name: string, { body }: { body: string }) => {
      sent.push(`${name} ${body}`);
      if (name === 'put') return Promise.resolve(answer(things.push(body)));
      return Promise.resolve(
        answer(fault(things, body) ?? (body === 'last' ? things.pop() : things.shift())),
      );
    },
  } as unknown as Session<'put' | 'take'>;
  const quota = new Quota(
    {
      put: { method: 'POST', target: '/', as: 'valid', times: 1, perExplore: 0.5 },
      take: { method: 'POST', target: '/', as: 'valid', times: 1, perExplore: 0.5 },
    },
    session,
  );
  return { session, quota, sent, courses };
}

async function searched(
  { session, quota }: Pick<ReturnType<typeof shelf>, 'session' | 'quota'>,
  oracles: readonly Oracle[] = [],
): Promise<readonly Check[]> {
  const found: Check[] = [];
  for await (const one of search({ session, model, oracles, quota })) found.push(one);
  return found;
}

/** Gives the wrong thing back where a large blue one lies below another one. */
function confused(things: string[], which: string): string | undefined {
  return which === 'last' && things.length > 1 && things.includes('large blue') ? 'large blues' : undefined;
}

test('a fault of the shelf is found, and reported with the shortest course that shows it', async () => {
  const [found, ...others] = await searched(shelf(400, 'seed', confused));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ rule: 'shelf.same', outcome: 'fail' });
  expect(found?.got).toMatch(
    /^large blues, after 1\. put(, colour: blue, size: large)? \(x\d+\); 2\. put(, colour: blue, size: large)? \(x\d+\); 3\. take \(x\d+\)$/,
  );
  expect(found?.got.match(/blue, size/g)).toHaveLength(1);
  expect(found?.exchanges).toHaveLength(3);
});

test('a conforming shelf has no finding', async () => {
  expect(await searched(shelf(200, 'seed', () => undefined))).toEqual([]);
});

test('one seed goes the same courses, another one others', async () => {
  const [first, again, other] = ['7', '7', '8'].map((seed) => shelf(120, seed, confused));
  if (first === undefined || again === undefined || other === undefined) throw new Error('three shelves');
  for (const one of [first, again, other]) await searched(one);
  expect(again.sent).toEqual(first.sent);
  expect(other.sent).not.toEqual(first.sent);
});

test.each([1, 7, 40, 300])('of %i requests, none more is sent, shrinking included', async (explore) => {
  const one = shelf(explore, 'bound', confused);
  await searched(one);
  expect(one.sent.length).toBeLessThanOrEqual(explore);
  expect(one.sent.filter((text) => text.startsWith('take')).length).toBeLessThanOrEqual(explore / 2);
});

test('the pairs of each operation come first', async () => {
  const one = shelf(400, 'pairs', () => undefined);
  await searched(one);
  const first = new Set(one.sent.slice(0, 30));
  for (const size of ['small', 'large'])
    for (const colour of ['red', 'green', 'blue']) expect(first).toContain(`put ${size} ${colour}`);
});

test('an oracle looks at every exchange of a course, and its rule is reported like one of the model', async () => {
  const oracle: Oracle = {
    api: 'shelf',
    judges: ['shelf.numbers'],
    look: function* (exchange) {
      yield check('shelf.numbers', exchange, exchange.json !== 3, 'at most two things');
    },
  };
  const [found] = await searched(
    shelf(400, 'oracle', () => undefined),
    [oracle],
  );
  expect(found?.rule).toBe('shelf.numbers');
  expect(found?.exchanges).toHaveLength(3);
});

test('several broken rules are reported one after the other', async () => {
  const oracle: Oracle = {
    api: 'shelf',
    judges: ['shelf.numbers'],
    look: function* (exchange) {
      yield check('shelf.numbers', exchange, exchange.json !== 4, 'at most three things');
    },
  };
  const found = await searched(shelf(800, 'two', confused), [oracle]);
  expect(found.map(({ rule }) => rule).sort()).toEqual(['shelf.numbers', 'shelf.same']);
});

test('after three obstacles, a server gets no more requests', async () => {
  const one = shelf(400, 'busy', () => {
    throw new Hindered('the server returned 429');
  });
  expect(await searched(one)).toEqual([]);
  expect(one.sent.filter((text) => text.startsWith('take'))).toHaveLength(3);
});

test('a fault of the suite itself is not held against the server', async () => {
  const one = shelf(400, 'own', () => {
    throw new TypeError('a slip in the model');
  });
  await expect(searched(one)).rejects.toThrow('a slip in the model');
});
