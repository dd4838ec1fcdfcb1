import { isSuccess } from '../../../exchange.ts';
import { check } from '../../../check.ts';
import { scenario } from '../../../scenario.ts';
import type { Session } from '../../../scenario.ts';
import {
  CANCEL,
  EVENTS,
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
    own: { ...read, times: OWN_READS },
    stranger: { ...read, as: 'jobStranger' },
    events: { ...read, target: EVENTS, as: 'jobStranger' },
    cancel: { ...submit, target: CANCEL, as: 'jobStranger' },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    await readable(session, id);
    // Document 3, Authentication, item 1 (account-scoped keys).
    const fill = { id };
    for (const answer of [
      await session.send('stranger', { fill }),
      (await session.watch('events', { fill, timeoutMs: 5000, until: (seen) => seen.length > 0 })).exchange,
      await session.send('cancel', { fill }),
    ])
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
    own: { ...read, times: OWN_READS },
    wrong: { ...read, as: 'unusable', times: 5 },
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
    const answers = [
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
      await session.send('cancel', { fill, credential: wrong }),
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
    read: { ...read, as: 'none' },
    events: { method: 'GET', target: EVENTS, as: 'none', times: 1 },
    cancel: { method: 'POST', target: CANCEL, as: 'none', times: 1 },
  },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    const fill = { id };
    // Document 3, Authentication, item 1: keys on these surfaces, also for a job that is there.
    for (const answer of [
      await session.send('read', { fill }),
      (await session.watch('events', { fill, timeoutMs: 5000, until: (seen) => seen.length > 0 })).exchange,
      await session.send('cancel', { fill }),
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

/** What its owner cannot read is no secret that is kept. */
async function readable(session: Session<'own'>, id: string): Promise<void> {
  await readUntil(session, 'own', id, {
    holds: (job) => statusOf(job) !== '',
    times: OWN_READS,
    pauseMs: 250,
  });
}
