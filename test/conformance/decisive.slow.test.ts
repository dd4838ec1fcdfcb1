// @module-tag long
import { expect, test } from 'vitest';
import type { Report, RuleResult, WireRequest } from '../../conformance/index.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';
import { jobsOn } from '../kill-matrix/settings.ts';
import type { Setting } from '../kill-matrix/settings.ts';
import { answered, changing, has } from './lines.ts';
import type { Change } from './lines.ts';

const settings = {
  router: { apis: ['router'] },
  registry: { apis: ['registry'] },
  jobs: jobsOn({ surface: 'cloud' }),
} satisfies Record<string, Setting>;

const tooMany = answered(429, { error_type: 'concurrency_limit_exceeded', detail: 'calls' }, [
  ['X-Service-Error-Type', 'concurrency_limit_exceeded'],
]);

/** Every so-manyth request of a kind. */
function every(nth: number, holds: (request: WireRequest) => boolean): (request: WireRequest) => boolean {
  let count = 0;
  return (request) => holds(request) && (count += 1) % nth === 0;
}

const isPost = ({ method }: WireRequest): boolean => method === 'POST';

async function verdictOf(
  api: keyof typeof settings,
  rule: string,
  parts: {
    readonly deviations?: readonly string[];
    readonly holds: (request: WireRequest) => boolean;
    readonly change: Change;
  },
): Promise<Pick<RuleResult, 'verdict' | 'observed' | 'reason'> | undefined> {
  const line: Setting['line'] = (inner) => changing(inner, parts.holds, parts.change);
  const report: Report = await judgeMock({ ...settings[api], line }, parts.deviations ?? [], [rule]);
  return report.rules.find(({ id }) => id === rule);
}

test.each([
  ['router', 'router.idem.race-one-winner'],
  ['registry', 'registry.publish.version-unique-race'],
  ['jobs', 'jobs.idem.concurrent-one-201'],
] as const)('%s: two successes decide a race, even if a limit refused the others', async (api, rule) => {
  const holds = every(4, isPost);
  const deviant = await verdictOf(api, rule, {
    deviations: [`${rule}~check-then-set`],
    holds,
    change: tooMany,
  });
  expect(deviant).toMatchObject({ verdict: 'fail' });
});

test.each([
  ['router', 'router.idem.race-one-winner'],
  ['jobs', 'jobs.idem.concurrent-one-201'],
] as const)(
  '%s: a limit below the size of a race leaves it judged with fewer requests',
  async (api, rule) => {
    let running = 0;
    const line: Setting['line'] = (inner) => async (request) => {
      if (!isPost(request)) return inner(request);
      running += 1;
      const isBeyond = running > 5;
      await Promise.resolve();
      const response = await inner(request).finally(() => (running -= 1));
      return isBeyond ? tooMany(response, request) : response;
    };
    const report = await judgeMock({ ...settings[api], line }, [], [rule]);
    expect(report.rules.find(({ id }) => id === rule)).toMatchObject({ verdict: 'pass' });
  },
);

test.each([
  ['router', 'router.idem.race-one-winner'],
  ['registry', 'registry.publish.version-unique-race'],
  ['jobs', 'jobs.idem.concurrent-one-201'],
] as const)(
  '%s: the same server error in each round of a race is a fail, and one of a gateway is not',
  async (api, rule) => {
    const verdictWith = async (status: number, isEach: boolean): Promise<unknown> => {
      let running = 0;
      let refused = 0;
      const line: Setting['line'] = (inner) => async (request) => {
        if (!isPost(request)) return inner(request);
        running += 1;
        const isTwin = running > 1;
        await Promise.resolve();
        const response = await inner(request).finally(() => (running -= 1));
        const isFailed = isTwin && response.status >= 400 && (isEach || (refused += 1) < 2);
        return isFailed ? answered(status, {}, [])(response, request) : response;
      };
      const report = await judgeMock({ ...settings[api], line }, [], [rule]);
      return report.rules.find(({ id }) => id === rule)?.verdict;
    };
    expect(await verdictWith(500, true)).toBe('fail');
    expect(await verdictWith(500, false)).toBe('pass');
    expect(await verdictWith(502, true)).toBe('inconclusive');
  },
);

const submission = ({ method, target }: WireRequest): boolean =>
  method === 'POST' && target.endsWith('/api/v2/jobs');
const refusal = (status: number, code: string): Change =>
  answered(status, { error: { code, message: 'Refused.' } });

const UNDECIDED = ['inconclusive', 'not-exercised'];

/** What changes the answers with this status of which the number (from 1) is meant. */
function ofThese(status: number, isMeant: (count: number) => boolean, change: Change): Change {
  let count = 0;
  return (response, request) =>
    response.status === status && isMeant((count += 1)) ? change(response, request) : response;
}

test.each([
  ['the graph', refusal(400, 'invalid_workflow')],
  ['the key', refusal(422, 'idempotency_key_reuse')],
])(
  'jobs.idem.release-on-upstream-reject: a first refusal of %s shows nothing about credits',
  async (_, change) => {
    const rule = 'jobs.idem.release-on-upstream-reject';
    const isFirst = ofThese(402, (count) => count === 1, change);
    const seen = await verdictOf('jobs', rule, { holds: submission, change: isFirst });
    expect(UNDECIDED).toContain(seen?.verdict);
  },
);

test('jobs.idem.release-on-upstream-reject: another refusal the second time shows nothing either', async () => {
  const rule = 'jobs.idem.release-on-upstream-reject';
  const change = ofThese(402, (count) => count === 2, refusal(400, 'invalid_workflow'));
  const seen = await verdictOf('jobs', rule, { holds: submission, change });
  expect(UNDECIDED).toContain(seen?.verdict);
});

test.each(['validation', 'ui-format', 'reserved'])(
  'jobs.idem.release-on-%s: a key that stays claimed after a failure of the server is legal',
  async (name) => {
    const rule = `jobs.idem.release-on-${name}`;
    const change = ofThese(422, () => true, refusal(500, 'internal'));
    const seen = await verdictOf('jobs', rule, { holds: submission, change });
    expect(UNDECIDED).toContain(seen?.verdict);
  },
);

test('a rule of several cases does not pass on those before a 429', async () => {
  let count = 0;
  const isEnhancement = ({ target }: WireRequest): boolean => target.includes('/skin-enhancer/');
  const holds = (request: WireRequest): boolean => isEnhancement(request) && (count += 1) === 2;
  const seen = await verdictOf('registry', 'proxy.skin.range-inclusive', { holds, change: tooMany });
  expect(seen).toMatchObject({ verdict: 'inconclusive' });
});

test('router.idem.in-flight-409: a 429 to a key in use decides nothing where a fresh key gets it as well', async () => {
  let running = 0;
  const line: Setting['line'] = (inner) => async (request) => {
    if (!isPost(request) || !has(request, 'idempotency-key')) return inner(request);
    const isBeyond = running > 0;
    running += 1;
    const response = await inner(request).finally(() => (running -= 1));
    return isBeyond ? tooMany(response, request) : response;
  };
  const rule = 'router.idem.in-flight-409';
  const report = await judgeMock({ ...settings.router, line }, [], [rule]);
  expect(UNDECIDED).toContain(report.rules.find(({ id }) => id === rule)?.verdict);
});

test.each([
  [true, 'inconclusive'],
  [false, 'fail'],
])(
  'router.run.429-only-beyond: a call without an answer (%s) may keep its place',
  async (isLost, verdict) => {
    let count = 0;
    const rule = 'router.run.429-only-beyond';
    const line: Setting['line'] = (inner) => (request) => {
      const isThis = isLost && isPost(request) && (count += 1) === 5;
      return isThis ? Promise.reject(new Error('read ECONNRESET')) : inner(request);
    };
    const report = await judgeMock({ ...settings.router, line }, [`${rule}~failures-hold`], [rule]);
    expect(report.rules.find(({ id }) => id === rule)).toMatchObject({ verdict });
  },
);

const unable = answered(400, { error: 'bad_request', message: 'Not today.' });

test.each([
  ['proxy.*', ({ target }: WireRequest): boolean => target.includes('/skin-enhancer/'), 'proxy.image'],
  ['registry.publish.*', ({ target }: WireRequest): boolean => target.endsWith('/versions'), 'publish'],
])(
  '%s: where no request succeeds at all, that is one finding and no rule is blamed',
  async (rules, holds, fixture) => {
    const line: Setting['line'] = (inner) =>
      changing(inner, holds, (response, request) =>
        response.status < 300 ? unable(response, request) : response,
      );
    const report = await judgeMock({ ...settings.registry, line }, [], [rules]);
    expect(report.findings.map(({ about }) => about)).toEqual([fixture]);
    expect(report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  },
);

test('registry.publish.version-unique-per-node: a second node that accepts nothing is reported as a wrong fixture', async () => {
  const line: Setting['line'] = (inner) =>
    changing(inner, ({ target }) => target.includes('/nodes/acme-denoiser/'), unable);
  const rule = 'registry.publish.version-unique-per-node';
  const report = await judgeMock({ ...settings.registry, line }, [], [rule]);
  expect(report.findings.map(({ about }) => about)).toEqual(['publish.second']);
});

const failure = answered(500, { error_type: 'internal_error', detail: 'Sorry.' }, [
  ['X-Service-Error-Type', 'internal_error'],
]);

test.each([
  ['router.run.single-response', 'inconclusive'],
  // A key is tried with other calls as well: where none succeeds, the fixtures are blamed.
  ['router.idem.no-key-no-replay', 'error'],
])('%s: a call that fails shows nothing about runs', async (rule, verdict) => {
  expect(await verdictOf('router', rule, { holds: isPost, change: failure })).toMatchObject({ verdict });
});

test('jobs.auth.scoped: a job that its owner cannot read either does not show access control', async () => {
  const holds = ({ method }: WireRequest): boolean => method === 'GET';
  const seen = await verdictOf('jobs', 'jobs.auth.scoped', { holds, change: refusal(404, 'not_found') });
  expect(seen).toMatchObject({ verdict: 'inconclusive' });
});
