import { check, observed } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Permission } from '../../../scenarios/scenario.ts';
import { unlessBusy } from './answers.ts';
import { declared, isReplayed, judgeReplay, keyed, sketchRun, withAnotherMember } from './idempotency.ts';
import { judgeFreshRun } from './runs.ts';

/**
 * Outcomes that a provider causes, each with the rule about its key: it is recorded or releases the key, depending only on
 * its status (document 1, Idempotency key handling, rows 2 and 3).
 */
const outcomes = [
  { id: 'policy', need: 'model.policy', permissions: ['billed'], rule: 'router.idem.replay-errors-too' },
  { id: '5xx', need: 'model.5xx', permissions: ['billed'], rule: 'router.idem.release-5xx' },
  { id: '503', need: 'model.503', permissions: ['billed'], rule: 'router.idem.release-5xx' },
  { id: '425', need: 'model.425', permissions: ['billed'], rule: 'router.idem.release-408-425' },
  {
    id: 'providerTimeout',
    need: 'model.providerTimeout',
    permissions: ['billed', 'slow'],
    rule: 'router.idem.release-5xx',
  },
] as const satisfies readonly {
  readonly id: string;
  readonly need: string;
  readonly permissions: readonly Permission[];
  readonly rule: string;
}[];

function ruleFor(status: number): (typeof outcomes)[number]['rule'] | 'router.idem.release-429' {
  if (status >= 500) return 'router.idem.release-5xx';
  if (status === 408 || status === 425) return 'router.idem.release-408-425';
  return status === 429 ? 'router.idem.release-429' : 'router.idem.replay-errors-too';
}

export const repeatedOutcomes = outcomes.map(({ id: name, need, permissions, rule }) =>
  scenario({
    id: `router.idem.repeated-${name.toLowerCase()}`,
    api: 'router',
    title: `a key that is sent three times to ${need}`,
    permissions,
    needs: [need],
    lock: 'router.capacity',
    judges: [rule],
    severalCases: [rule],
    requests: {
      run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 4, judgesRefusal: true },
    },
    run: async function* ({ send, fixtures, freshKey }) {
      const { id, input } = declared(fixtures.model?.[name], need);
      const key = freshKey();
      const first = await send('run', keyed(id, input, key));
      if (isSuccess(first)) throw new BrokenFixture(need, 'it ran', [first.id]);
      if (name !== '503') unlessBusy(first);
      if (ruleFor(first.status) !== rule)
        throw new BrokenFixture(need, `it returned ${first.status}`, [first.id]);
      const frees = rule !== 'router.idem.replay-errors-too';
      // The exception to the release: the same key collects the generation that is still running (responses,
      // row 504).
      if (first.status === 504 && first.header('Retry-After') !== undefined) {
        yield observed('router.run.504-retry-after', first, 'the generation can be collected');
        return;
      }
      for (let count = 0; count < 2; count += 1) {
        const again = await send('run', keyed(id, input, key));
        if (name !== '503') unlessBusy(again);
        yield frees ? judgeFreshRun(rule, first, again) : judgeReplay(rule, first, again);
      }
      if (!frees) return;
      // A released key belongs to no body. The provider may refuse the other one.
      const other = await send('run', keyed(id, withAnotherMember(input), key));
      if (other.status === 409 || isReplayed(other)) yield judgeFreshRun(rule, first, other);
    },
  }),
);

export const overdueAgain = scenario({
  id: 'router.idem.repeated-deadline',
  api: 'router',
  title: 'a key after the deadline of its call',
  permissions: ['billed', 'slow'],
  needs: ['model.deadline', 'deadlineMs'],
  lock: 'router.capacity',
  judges: ['router.idem.release-5xx'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
  },
  run: async function* ({ send, fixtures, freshKey, clock, deadlineMs }) {
    const { id, input } = declared(fixtures.model?.deadline, 'model.deadline');
    const key = freshKey();
    const first = await send('run', keyed(id, input, key));
    unlessBusy(first);
    if (first.status !== 504)
      throw new BrokenFixture('model.deadline', `it returned ${first.status}`, [first.id]);
    if (first.header('Retry-After') !== undefined) return;
    // A fresh run takes its time again; a conflict or a replay is immediate.
    const hangUp = new AbortController();
    const running = send('run', { ...keyed(id, input, key), signal: hangUp.signal });
    // To its end, if that is near.
    if (deadlineMs > NEAR_MS) {
      await clock.sleep(3000);
      hangUp.abort(new Error('the suite has seen that it runs'));
    }
    yield judgeRunning(first, await running);
  },
});

export const refusedForCredits = scenario({
  id: 'router.idem.repeated-credits',
  api: 'router',
  title: 'a key of a workspace that cannot pay, three times',
  permissions: ['negatives'],
  needs: ['account.noCredits', 'model.ok'],
  judges: ['router.run.insufficient-credits'],
  severalCases: ['router.run.insufficient-credits'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'noCredits', times: 3 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const key = freshKey();
    const answers: Exchange[] = [];
    for (let count = 0; count < 3; count += 1) answers.push(await send('run', keyed(id, input, key)));
    // Document 1, Errors, table. Whether the refusal is recorded is open; the refusal is the same each
    // time.
    for (const answer of answers)
      yield check(
        'router.run.insufficient-credits',
        answer,
        !isSuccess(answer) && answer.header('X-Service-Error-Type') === 'insufficient_credits',
        'bucket insufficient_credits, each time',
        sketchRun(answer),
      );
  },
});

// --- internal ---

const NEAR_MS = 20_000;

function judgeRunning(first: Exchange, again: Exchange): Check {
  if (again.answer !== undefined) return judgeFreshRun('router.idem.release-5xx', first, again);
  return check('router.idem.release-5xx', [first, again], !isReplayed(again), 'a fresh run');
}
