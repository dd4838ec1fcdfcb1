import { check } from '../../../check.ts';
import { isSuccess } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { scenario } from '../../../scenario.ts';
import type { Check, Session } from '../../../scenario.ts';
import { TERMINAL } from '../wire/job.ts';
import {
  CANCEL,
  EVENTS,
  MOST_READS,
  bodyOf,
  read,
  readUntil,
  sketchRefusal,
  statusOf,
  submit,
  submitted,
} from './job.ts';

const OWN_READS = 20;

export const stranger = scenario({
  id: 'jobs.auth.stranger',
  api: 'jobs',
  title: "another account's job",
  permissions: ['jobs'],
  surfaces: ['cloud', 'serverless'],
  needs: ['job.ok', 'cred.secondAccount'],
  judges: ['jobs.auth.scoped'],
  severalCases: ['jobs.auth.scoped'],
  requests: {
    submit,
    own: { ...read, times: OWN_READS + MOST_READS },
    stranger: { ...read, as: 'jobStranger' },
    events: { ...read, target: EVENTS, as: 'jobStranger' },
    cancel: { ...submit, target: CANCEL, as: 'jobStranger' },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    await readable(session, id);
    // Document 3, Authentication, item 1 (account-scoped keys).
    const fill = { id };
    // The cancellation first, while the job can still be cancelled.
    const answers = [
      await session.send('cancel', { fill }),
      await session.send('stranger', { fill }),
      (await session.watch('events', { fill, timeoutMs: 5000, until: (seen) => seen.length > 0 })).exchange,
    ];
    yield* judgeUntouched(session, 'jobs.auth.scoped', id, answers[0] ?? exchange);
    for (const answer of answers)
      yield check(
        'jobs.auth.scoped',
        [exchange, answer],
        !isSuccess(answer),
        'no success',
        sketchRefusal(answer),
      );
  },
});

export const wrongToken = scenario({
  id: 'jobs.auth.wrong-token',
  api: 'jobs',
  title: 'a wrong token on an instance with a static token',
  permissions: ['jobs'],
  surfaces: ['self-hosted'],
  needs: ['job.ok', 'staticToken'],
  judges: ['jobs.auth.self-hosted-static'],
  severalCases: ['jobs.auth.self-hosted-static'],
  requests: {
    submit,
    own: { ...read, times: OWN_READS + MOST_READS },
    wrong: { ...read, as: 'unusable', times: 7 },
    cancel: { ...submit, target: CANCEL, as: 'unusable' },
    events: { ...read, target: EVENTS, as: 'unusable' },
    wrongSubmit: { ...submit, as: 'unusable' },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    await readable(session, id);
    // Document 3, Authentication, item 2.
    const fill = { id };
    const wrong = ['Authorization', 'Bearer tallystick-wrong-token'] as const;
    const token = session.fixtures.staticToken ?? '';
    const cancelled = await session.send('cancel', { fill, credential: wrong });
    yield* judgeUntouched(session, 'jobs.auth.self-hosted-static', id, cancelled);
    const half = token.slice(0, Math.ceil(token.length / 2));
    const cased = token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase();
    const answers = [
      cancelled,
      await session.send('wrong', { fill, credential: ['Authorization', `Bearer ${half}`] }),
      await session.send('wrong', { fill, credential: ['Authorization', `Bearer ${cased}`] }),
      await session.send('wrong', { fill, credential: ['Authorization', 'Bearer'] }),
      await session.send('wrong', { fill, credential: ['Authorization', `Bearer ${token}-x`] }),
      await session.send('wrong', { fill, credential: ['Authorization', `Basic ${token}`] }),
      await session.send('wrong', { fill, credential: ['X-API-Key', `${token}-x`] }),
      await session.send('wrong', { fill, credential: wrong }),
      await session.send('wrongSubmit', { body: bodyOf(session.fixtures, 'ok'), credential: wrong }),
      (
        await session.watch('events', {
          fill,
          credential: wrong,
          timeoutMs: 5000,
          until: (seen) => seen.length > 0,
        })
      ).exchange,
    ];
    for (const answer of answers)
      yield check(
        'jobs.auth.self-hosted-static',
        [exchange, answer],
        !isSuccess(answer),
        'no success',
        sketchRefusal(answer),
      );
  },
});

export const anonymousOnJob = scenario({
  id: 'jobs.auth.anonymous-on-job',
  api: 'jobs',
  title: 'a job that is read without a credential',
  permissions: ['jobs'],
  surfaces: ['cloud', 'serverless'],
  needs: ['job.ok'],
  judges: ['jobs.auth.required'],
  severalCases: ['jobs.auth.required'],
  requests: {
    submit,
    own: { ...read, times: MOST_READS },
    unusable: { ...read, as: 'unusable', times: 2 },
    read: { ...read, as: 'none' },
    events: { method: 'GET', target: EVENTS, as: 'none', times: 1 },
    cancel: { method: 'POST', target: CANCEL, as: 'none', times: 1 },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    const fill = { id };
    // Document 3, Authentication, item 1: keys on these surfaces, also for a job that is there.
    const cancelled = await session.send('cancel', { fill });
    yield* judgeUntouched(session, 'jobs.auth.required', id, cancelled);
    const key = session.fixtures.cred?.apiKey ?? 'tallystick';
    for (const answer of [
      cancelled,
      await session.send('read', { fill }),
      await session.send('unusable', { fill, credential: ['Authorization', `Basic ${key}`] }),
      await session.send('unusable', {
        fill,
        credential: ['Authorization', `Bearer ${key.slice(0, Math.ceil(key.length / 2))}`],
      }),
      (await session.watch('events', { fill, timeoutMs: 5000, until: (seen) => seen.length > 0 })).exchange,
    ]) {
      yield check(
        'jobs.auth.required',
        [exchange, answer],
        !isSuccess(answer),
        'no success',
        sketchRefusal(answer),
      );
    }
  },
});

// --- internal ---

/** What is refused has no effect: a job that only somebody without a right cancelled comes to its own end. */
async function* judgeUntouched(
  session: Session<'own'>,
  rule: string,
  id: string,
  cancelled: Exchange,
): AsyncGenerator<Check, void> {
  if (isSuccess(cancelled)) return;
  const { last } = await readUntil(session, 'own', id, {
    holds: (job) => TERMINAL.includes(statusOf(job)),
    times: MOST_READS,
    pauseMs: 500,
  });
  const status = statusOf(last.json);
  const isTouched = status === 'canceling' || status === 'canceled';
  yield check(rule, [cancelled, last], !isTouched, 'a job that nobody cancelled', `status ${status}`);
}

/** What its owner cannot read is no secret that is kept. */
async function readable(session: Session<'own'>, id: string): Promise<void> {
  await readUntil(session, 'own', id, {
    holds: (job) => statusOf(job) !== '',
    times: OWN_READS,
    pauseMs: 250,
  });
}
