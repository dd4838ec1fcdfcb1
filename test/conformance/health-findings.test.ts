import { expect, test } from 'vitest';
import type { Exchange, ResponseFault } from '../../conformance/exchanges/exchange.ts';
import { findingsOf } from '../../conformance/health/health-findings.ts';
import type { OperationHealth, Health, Loss, LossKind } from '../../conformance/health/health.ts';
import { exchangeOf } from './exchanges.ts';

type Records = Parameters<typeof findingsOf>[0];

let count = 0;

function lost(kind: LossKind, operation = 'GET /v1/models', begun?: number): Loss {
  count += 1;
  const isFault = ['closed', 'silent', 'cut'].includes(kind);
  const exchange: Exchange = exchangeOf({
    id: `x${String(count).padStart(4, '0')}`,
    target: operation.split(' ')[1] ?? '',
    ...(isFault ? { fault: kind as ResponseFault, failure: kind } : { status: 502 }),
    ...(begun === undefined ? {} : { begun }),
  });
  return { exchange, operation, kind };
}

const many = (number: number, kind: LossKind, operation?: string, begun?: number): readonly Loss[] =>
  Array.from({ length: number }, () => lost(kind, operation, begun));

/** An operation with so many whole responses, and so many losses in a row after them. */
function course(
  operation: string,
  answered: number,
  lost: readonly Loss[] = [],
  statuses: readonly number[] = [200],
): OperationHealth {
  const whole = new Map(answered === 0 ? [] : statuses.map((status) => [status, 1]));
  // An operation that is still answered was answered last.
  const since = answered === 0 ? undefined : lost.length > 0 ? 'x0001' : 'x9000';
  const silentInARow = { usable: 0, unusable: 0 };
  const none = { since, between: 0, lost: [] };
  return {
    ...{ api: 'router', operation, whole, answered, silentInARow },
    ...{ unanswered: { since, between: 0, lost }, unaccepted: none, unheard: [] },
  };
}

function found(parts: {
  readonly courses?: readonly OperationHealth[];
  readonly losses: readonly Loss[];
  readonly givenUp?: Health['givenUp'];
  readonly sent?: number;
  readonly undecided?: readonly string[];
}): readonly string[] {
  const {
    courses = [course('GET /v1/models', 90)],
    losses,
    givenUp = [],
    sent = 100,
    undecided = [],
  } = parts;
  const records: Records = {
    courses: new Map(courses.map((one) => [`${one.api} ${one.operation}`, one])),
    losses: [...losses],
    givenUp,
    stopped: [],
    oddities: new Map(),
  };
  return findingsOf(records, sent, new Set(undecided)).map(({ kind, says }) => `${kind}: ${says}`);
}

test.each<[number, number, string]>([
  [1, 100, 'doubt'],
  [1, 5, 'doubt'],
  [3, 100, 'doubt'],
  [4, 100, 'disturbed'],
  [5, 1000, 'doubt'],
])('%i lost of %i requests are reported once, as %s', (number, sent, kind) => {
  const told = found({ losses: many(number, 'closed'), sent });
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(new RegExp(`^${kind}: ${number} of ${sent} requests got no complete response`));
});

test('a run without lost responses has no finding', () => {
  expect(found({ losses: [] })).toEqual([]);
});

test.each<[string, number, readonly Loss[], RegExp]>([
  ['twice, and never before', 0, many(2, 'silent', 'POST /a'), /^broken: POST \/a never answers/],
  [
    'four times since an answer',
    9,
    many(4, 'closed', 'POST /a'),
    /^broken: POST \/a has not answered since x0001/,
  ],
  ['by a gateway alone', 0, many(2, 'gateway', 'POST /a'), /^broken: POST \/a never answers/],
  ['three times since an answer', 9, many(3, 'silent', 'POST /a'), /^doubt: 3 of/],
  ['once', 0, many(1, 'silent', 'POST /a'), /^doubt: 1 of/],
])('an operation that is not answered: %s', (_, answered, losses, says) => {
  const own = course('POST /a', answered, losses);
  const told = found({ courses: [own, course('GET /v1/models', 90)], losses });
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(says);
});

test('an operation that answers only what it refuses never answers', () => {
  const losses = many(2, 'silent', 'POST /a');
  const own = { ...course('POST /a', 9, losses), unaccepted: { since: undefined, between: 7, lost: losses } };
  expect(found({ courses: [own, course('GET /v1/models', 90)], losses })).toEqual([
    expect.stringMatching(/^broken: POST \/a refuses calls, and never answers one that it does not refuse/),
  ]);
});

test('what a network loses among many refusals is no reason to say that a call is never answered', () => {
  const losses = many(6, 'closed', 'POST /a');
  const others = many(30, 'closed');
  const own = {
    ...course('POST /a', 18),
    unaccepted: { since: undefined, between: 18, lost: losses },
  };
  const told = found({
    courses: [own, course('GET /v1/models', 90)],
    losses: [...losses, ...others],
    sent: 144,
  });
  expect(told).toEqual([expect.stringMatching(/^disturbed: 36 of 144/)]);
});

test('what a network loses of other operations explains what one operation loses', () => {
  const losses = many(2, 'silent', 'POST /a');
  const others = many(25, 'silent');
  const told = found({
    courses: [course('POST /a', 0, losses), course('GET /v1/models', 90)],
    losses: [...losses, ...others],
  });
  expect(told).toEqual([expect.stringMatching(/^disturbed: 27 of 100/)]);
});

test('an operation that was answered is compared with what was answered since then', () => {
  const before = { ...course('GET /v1/models', 90), unanswered: { since: 'x0000', between: 0, lost: [] } };
  const losses = many(4, 'closed', 'GET /a');
  const told = found({ courses: [course('GET /a', 9, losses), before], losses });
  expect(told).toEqual([expect.stringMatching(/^disturbed: 4 of 100/)]);
});

test('an operation that is not answered has no neighbour to be compared with', () => {
  const losses = many(4, 'closed', 'POST /a');
  expect(found({ courses: [course('POST /a', 0, losses)], losses })[0]).toMatch(/^disturbed/);
});

test.each<[string, readonly number[], RegExp]>([
  [
    'no other response of that status is whole',
    [200],
    /^broken: Every 404 response of the router API arrives incomplete/,
  ],
  ['others are whole', [200, 404], /^doubt: 3 of 100/],
])('three 404s that are cut short, where %s', (_, statuses, says) => {
  const told = found({
    courses: [course('GET /v1/models', 90, [], statuses)],
    losses: many(3, 'cut', 'GET /v1/models', 404),
  });
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(says);
});

test.each<[string, number, RegExp]>([
  ['all others are answered', 0, /^broken: GET \/a never gets a complete response/],
  ['one in twenty is lost as well', 5, /^broken: GET \/a never gets a complete response/],
  ['four in ten are lost as well', 40, /^disturbed: 43 of 100/],
])('three attempts of a request in vain, where %s', (_, others, says) => {
  const attempts = many(3, 'closed', 'GET /a');
  const courses = [course('GET /a', 5), course('GET /v1/models', 90)];
  const told = found({ courses, losses: [...attempts, ...many(others, 'closed')], givenUp: [attempts] });
  expect(told[0]).toMatch(says);
});

test('a gateway error is severe only if it is frequent and leaves a rule undecided', () => {
  const losses = many(5, 'gateway');
  const [first] = losses;
  expect(found({ losses })[0]).toMatch(/^doubt: 5 of 100 requests were answered by something before the API/);
  expect(found({ losses, undecided: [first?.exchange.id ?? ''] })[0]).toMatch(/^disturbed: 5 of 100/);
  expect(found({ losses, undecided: [first?.exchange.id ?? ''], sent: 1000 })[0]).toMatch(
    /^doubt: 5 of 1000/,
  );
});

test('a rate limit is severe if it leaves a rule undecided', () => {
  const losses = many(1, 'limiter');
  expect(found({ losses })[0]).toMatch(/^doubt: 1 of 100 requests were refused by a rate limit/);
  expect(found({ losses, undecided: [losses[0]?.exchange.id ?? ''] })[0]).toMatch(/^disturbed/);
});

test.each([
  [0, /^not-served: POST \/a is not served here/],
  [3, undefined],
])('404s of something else, where the API gave %i responses there', (answered, says) => {
  const courses = [course('POST /a', answered), course('GET /v1/models', 90)];
  const told = found({ courses, losses: many(2, 'unserved', 'POST /a') });
  if (says === undefined) expect(told).toEqual([]);
  else expect(told[0]).toMatch(says);
});
