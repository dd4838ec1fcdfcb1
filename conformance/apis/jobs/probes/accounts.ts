import { check } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { withOtherEnd } from '../../../target/altered-key.ts';
import { TERMINAL } from '../wire/job.ts';
import {
  CANCEL,
  EVENTS,
  LIFE_MS,
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
  budgetMs: 2 * LIFE_MS,
  requests: {
    submit: { ...submit, times: 2 },
    own: { ...read, times: OWN_READS + 2 * MOST_READS },
    ownCancel: { ...submit, target: CANCEL },
    read: { ...read, as: 'jobStranger', times: 3 },
    events: { ...read, target: EVENTS, as: 'jobStranger', times: 3 },
    cancel: { ...submit, target: CANCEL, as: 'jobStranger', times: 3 },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', longest(session), session.freshKey());
    await readable(session, id);
    // Document 3, Authentication, item 1 (account-scoped keys).
    const fill = { id };
    const rule = 'jobs.auth.scoped';
    yield* judgeVisit(session, rule, exchange, fill);
    yield* judgeUntouched(session, rule, id, exchange);
    // A job that has ended, or was cancelled, does not belong to other accounts either.
    yield* judgeVisit(session, rule, exchange, fill);
    const other = await submitted(session, 'submit', 'ok', session.freshKey());
    await session.send('ownCancel', { fill: { id: other.id } });
    await readUntil(session, 'own', other.id, ended);
    yield* judgeVisit(session, rule, other.exchange, { id: other.id });
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
  budgetMs: LIFE_MS,
  requests: {
    submit,
    own: { ...read, times: OWN_READS + MOST_READS },
    wrong: { ...read, as: 'unusable', times: 8 },
    cancel: { ...submit, target: CANCEL, as: 'unusable' },
    events: { ...read, target: EVENTS, as: 'unusable', times: 3 },
    wrongSubmit: { ...submit, as: 'unusable' },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', longest(session), session.freshKey());
    await readable(session, id);
    // Document 3, Authentication, item 2.
    const fill = { id };
    const wrong = ['Authorization', 'Bearer tallystick-wrong-token'] as const;
    const token = session.fixtures.staticToken ?? '';
    const cancelled = await session.send('cancel', { fill, credential: wrong });
    if (!isSuccess(cancelled)) yield* judgeUntouched(session, 'jobs.auth.self-hosted-static', id, cancelled);
    const half = token.slice(0, Math.ceil(token.length / 2));
    const cased = inOtherCase(token);
    const answers = [
      cancelled,
      await session.send('wrong', { fill, credential: ['Authorization', `Bearer ${half}`] }),
      await session.send('wrong', { fill, credential: ['Authorization', `Bearer ${cased}`] }),
      await session.send('wrong', { fill, credential: ['Authorization', 'Bearer'] }),
      await session.send('wrong', { fill, credential: ['Authorization', `Bearer ${token}-x`] }),
      await session.send('wrong', { fill, credential: ['Authorization', `Basic ${token}`] }),
      await session.send('wrong', { fill, credential: ['Authorization', token] }),
      await session.send('wrong', { fill, credential: ['X-API-Key', `${token}-x`] }),
      await session.send('wrong', { fill, credential: wrong }),
      await session.send('wrongSubmit', { body: bodyOf(session.fixtures, 'ok'), credential: wrong }),
    ];
    for (const bearer of ['tallystick-wrong-token', half, cased]) {
      const credential = ['Authorization', `Bearer ${bearer}`] as const;
      answers.push((await session.watch('events', { fill, credential, ...FIRST_EVENT })).exchange);
    }
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
  budgetMs: LIFE_MS,
  requests: {
    submit,
    own: { ...read, times: MOST_READS },
    unusable: { ...read, as: 'unusable', times: 7 },
    unusableEvents: { ...read, target: EVENTS, as: 'unusable' },
    unusableCancel: { ...submit, target: CANCEL, as: 'unusable' },
    unusableSubmit: { ...submit, as: 'unusable' },
    read: { ...read, as: 'none', times: 2 },
    events: { ...read, target: EVENTS, as: 'none', times: 2 },
    cancel: { ...submit, target: CANCEL, as: 'none', times: 2 },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', longest(session), session.freshKey());
    const fill = { id };
    // Document 3, Authentication, item 1: keys on these surfaces, also for an existing job.
    const rule = 'jobs.auth.required';
    yield* judgeVisit(session, rule, exchange, fill);
    const key = session.fixtures.cred?.apiKey ?? 'tallystick';
    const answers: Exchange[] = [];
    const half = key.slice(0, Math.ceil(key.length / 2));
    for (const value of [key, `Basic ${key}`, `Bearer ${half}`, `Bearer ${inOtherCase(key)}`])
      answers.push(await session.send('unusable', { fill, credential: ['Authorization', value] }));
    // A key that was never issued, on each operation.
    const body = bodyOf(session.fixtures, 'ok');
    const credential = ['Authorization', 'Bearer tallystick-wrong-key'] as const;
    answers.push(
      await session.send('unusableCancel', { fill, credential }),
      await session.send('unusable', { fill, credential }),
      await session.send('unusableSubmit', { body, credential }),
      (await session.watch('unusableEvents', { fill, credential, ...FIRST_EVENT })).exchange,
    );
    // The set of valid keys is open: a server may accept all with the same prefix. If it refuses one, it must
    // refuse a longer one too.
    const [other, longer] = [
      await session.send('unusable', { fill, credential: ['Authorization', `Bearer ${withOtherEnd(key)}`] }),
      await session.send('unusable', { fill, credential: ['Authorization', `Bearer ${key}0`] }),
    ];
    if (!isSuccess(other)) answers.push(longer);
    for (const answer of answers)
      yield check(rule, [exchange, answer], !isSuccess(answer), 'no success', sketchRefusal(answer));
    if (answers.some(isSuccess)) return;
    yield* judgeUntouched(session, rule, id, exchange);
    yield* judgeVisit(session, rule, exchange, fill);
  },
});

// --- internal ---

const ended = {
  holds: (job: unknown) => TERMINAL.includes(statusOf(job)),
  times: MOST_READS,
  pauseMs: 500,
};

/** The job fixture that runs for the longest time: a job that has ended cannot show a cancellation. */
function longest({ fixtures }: Pick<Session, 'fixtures'>): string {
  return bodyOf(fixtures, 'slow') === undefined ? 'ok' : 'slow';
}

/** The key in other case; another key if it has no letters. */
function inOtherCase(key: string): string {
  const other = key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase();
  return other === key ? 'tallystick-wrong-key' : other;
}

const FIRST_EVENT = { timeoutMs: 5000, until: (seen: readonly unknown[]) => seen.length > 0 };

/** A caller without access to a job: it first tries to cancel it, while that is still possible. */
async function* judgeVisit(
  session: Session<'cancel' | 'read' | 'events'>,
  rule: string,
  made: Exchange,
  fill: { readonly id: string },
): AsyncGenerator<Check, void> {
  for (const answer of [
    await session.send('cancel', { fill }),
    await session.send('read', { fill }),
    (await session.watch('events', { fill, ...FIRST_EVENT })).exchange,
  ])
    yield check(rule, [made, answer], !isSuccess(answer), 'no success', sketchRefusal(answer));
}

/**
 * A refused request has no effect: a job that only a caller without access tried to cancel reaches its own
 * end.
 */
async function* judgeUntouched(
  session: Session<'own'>,
  rule: string,
  id: string,
  cancelled: Exchange,
): AsyncGenerator<Check, void> {
  const { last } = await readUntil(session, 'own', id, ended);
  const status = statusOf(last.json);
  const isTouched = status === 'canceling' || status === 'canceled';
  yield check(rule, [cancelled, last], !isTouched, 'a job without a cancellation', `status ${status}`);
}

/** If its owner cannot read it either, a refusal shows nothing about access. */
async function readable(session: Session<'own'>, id: string): Promise<void> {
  await readUntil(session, 'own', id, {
    holds: (job) => statusOf(job) !== '',
    times: OWN_READS,
    pauseMs: 250,
  });
}
