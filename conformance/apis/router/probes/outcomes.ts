import { check } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { unlessBusy } from './answers.ts';
import { declared, isReplayed, keyed, sketchRun } from './idempotency.ts';
import { judgeFreshRun } from './runs.ts';

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
