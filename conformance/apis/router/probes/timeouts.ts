import { check } from '../../../scenarios/check.ts';
import { hinderedByDelays, watchDelays } from '../../../scenarios/delays.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, Hindered, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { ERROR_BODY, isErrorBody } from '../wire/error.ts';
import { bucketOf, isBusy, sketchRefusal, unlessBusy } from './answers.ts';
import { declared, keyed } from './idempotency.ts';

export const deadline = scenario({
  id: 'router.run.deadline',
  api: 'router',
  title: "a run that exceeds the server's deadline",
  permissions: ['billed', 'slow'],
  needs: ['model.deadline', 'deadlineMs'],
  lock: 'router.capacity',
  judges: ['router.run.504-deadline', 'router.run.504-deadline-not-early'],
  severalCases: ['router.run.504-deadline', 'router.run.504-deadline-not-early'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
    control: { method: 'GET', target: '/v1/models', as: 'valid', times: 2 },
  },
  run: async function* ({ send, race, clock, fixtures, deadlineMs, freshKey }) {
    const { id, input } = declared(fixtures.model?.deadline, 'model.deadline');
    const call = { fill: { id }, body: input };
    // With a key as well, at the same time, to save waiting. A server may have capacity for only one of them.
    const delays = watchDelays(clock);
    const answers = await race('run', [call, keyed(id, input, freshKey())]);
    const lateMs = delays();
    const admitted = answers.filter((answer) => !isBusy(answer));
    for (const answer of admitted.length > 0 ? admitted : answers) {
      if (answer.fault === 'silent') {
        const hindered = hinderedByDelays(lateMs, answer);
        if (hindered !== undefined) throw hindered;
        // The network works if a read is answered now.
        const control = await send('control');
        const waited = (answer.endedAt - answer.startedAt) / 1000;
        yield check(
          'router.run.504-deadline',
          [control, answer],
          false,
          'status 504, bucket deadline_exceeded',
          `no response within ${waited} s`,
        );
        continue;
      }
      if (answer.answer === undefined)
        throw new Hindered(`no response: ${answer.failure ?? ''}`, [answer.id]);
      unlessBusy(answer);
      yield* judgeDeadline(answer, deadlineMs);
    }
  },
});

function* judgeDeadline(answer: Exchange, deadlineMs: number): Generator<Check> {
  const took = answer.endedAt - answer.startedAt;
  if (answer.status < 500)
    throw new BrokenFixture('model.deadline', `it returned ${answer.status} after ${took} ms`, [answer.id]);
  // Document 1, Idempotency key handling, deadline rule: 504 deadline_exceeded. Another rule covers a
  // difference between header and body.
  const typed = answer.status === 504 && bucketOf(answer) === 'deadline_exceeded';
  yield check(
    'router.run.504-deadline',
    answer,
    typed,
    'status 504, bucket deadline_exceeded',
    sketchRefusal(answer),
  );
  // Document 1, Limits, row call deadline; 5 % for differing clocks.
  if (answer.status !== 504) return;
  const late = took >= deadlineMs * 0.95;
  yield check(
    'router.run.504-deadline-not-early',
    answer,
    late,
    `an answer after ${deadlineMs / 1000} s`,
    `after ${took / 1000} s`,
  );
}

export const providerTimeout = scenario({
  id: 'router.run.provider-timeout',
  api: 'router',
  title: 'a run whose provider does not respond',
  permissions: ['billed', 'slow'],
  needs: ['model.providerTimeout'],
  lock: 'router.capacity',
  judges: ['router.run.504-provider-timeout'],
  severalCases: ['router.run.504-provider-timeout'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.providerTimeout, 'model.providerTimeout');
    for (const call of [{ fill: { id }, body: input }, keyed(id, input, freshKey())]) {
      const answer = await send('run', call);
      unlessBusy(answer);
      if (answer.status < 500)
        throw new BrokenFixture('model.providerTimeout', `it returned ${answer.status}`, [answer.id]);
      // Document 1, POST /v1/models/{provider}/{model}, responses, row 504, and Errors, table: provider_timeout with 504.
      const typed = answer.status === 504 && bucketOf(answer) === 'provider_timeout';
      yield check(
        'router.run.504-provider-timeout',
        answer,
        typed,
        'status 504, bucket provider_timeout',
        sketchRefusal(answer),
      );
    }
  },
});

export const unavailable = scenario({
  id: 'router.run.unavailable',
  api: 'router',
  title: 'a run that is answered with 503',
  permissions: ['billed'],
  needs: ['model.503'],
  judges: ['router.run.503-shape'],
  severalCases: ['router.run.503-shape'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.['503'], 'model.503');
    for (const call of [{ fill: { id }, body: input }, keyed(id, input, freshKey())]) {
      const answer = await send('run', call);
      if (answer.status !== 503)
        throw new BrokenFixture('model.503', `it returned ${answer.status}`, [answer.id]);
      // Document 1, POST /v1/models/{provider}/{model}, responses, row 503: RouterErrorResponse, and the bucket on the header.
      yield check('router.run.503-shape', answer, isErrorBody(answer.json), ERROR_BODY);
    }
  },
});
