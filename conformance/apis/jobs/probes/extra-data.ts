import { check } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';
import {
  LIFE_MS,
  bodyOf,
  endGrace,
  eventNames,
  events,
  read,
  readUntil,
  sketchRefusal,
  statusOf,
  submit,
  withSibling,
} from './job.ts';

/** How often a job is read until it has left the queue. */
const MOST_READS = 20;
/** How long its stream is watched, in milliseconds. */
const WATCHED_MS = 10_000;

export const allowedExtraData = scenario({
  id: 'jobs.submit.allowed-extra-data',
  api: 'jobs',
  title: 'submissions with extra data that the server knows, and with none',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.allowedExtraData'],
  // An oracle judges whether the job shows its extra data.
  judges: ['jobs.submit.extra-data-allowed', 'jobs.submit.extra-data-not-kept'],
  severalCases: ['jobs.submit.extra-data-allowed'],
  budgetMs: LIFE_MS,
  requests: {
    submit: { ...submit, times: 2 },
    control: submit,
    events,
    read: { ...read, times: MOST_READS },
  },
  run: async function* (session) {
    const { send, fixtures } = session;
    const names = eventNames(fixtures);
    const ok = bodyOf(fixtures, 'ok');
    for (const extra of [fixtures.job?.['allowedExtraData'], {}]) {
      const answer = await send('submit', { body: withSibling(fixtures, ok, 'extra_data', extra) });
      if (!isSuccess(answer)) {
        // Whether the extra data is refused, or the job.
        const control = await send('control', { body: ok });
        if (!isSuccess(control)) throw new BrokenFixture('job.ok', sketchAnswer(control), [control.id]);
      }
      // Document 3, Submit request, row extra_data: its enumerated keys are accepted.
      yield check(
        'jobs.submit.extra-data-allowed',
        answer,
        isSuccess(answer),
        'a job',
        sketchRefusal(answer),
      );
      if (!isSuccess(answer)) return;
      const id = member(answer.json, 'id');
      if (extra !== fixtures.job?.['allowedExtraData'] || typeof id !== 'string') continue;
      await session.watch('events', { fill: { id }, timeoutMs: WATCHED_MS, grace: endGrace(names) });
      await readUntil(session, 'read', id, {
        holds: (job) => !['queued', ''].includes(statusOf(job)),
        times: MOST_READS,
        pauseMs: 250,
      });
    }
  },
});
