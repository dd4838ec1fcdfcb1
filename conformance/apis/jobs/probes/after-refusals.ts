import { check } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import {
  CANCEL,
  LIFE_MS,
  MOST_READS,
  randomId,
  read,
  readUntil,
  sketchRefusal,
  statusOf,
  submit,
  submitted,
} from './job.ts';

const cancel = { ...submit, target: CANCEL } as const;

export const cancelAfterRefusals = scenario({
  id: 'jobs.cancel.after-refusals',
  api: 'jobs',
  title: 'a running job that is cancelled after other requests were refused',
  permissions: ['jobs', 'negatives', 'slow'],
  needs: ['job.slow'],
  budgetMs: LIFE_MS,
  sensitive: true,
  judges: ['jobs.cancel.200'],
  searches: ['jobs.cancel.200'],
  requests: {
    submit,
    read: { ...read, times: MOST_READS + 1 },
    unknown: cancel,
    malformed: submit,
    cancel,
    anonymous: { ...cancel, as: 'none' },
    stranger: { ...cancel, as: 'jobStranger', isOptional: true },
  },
  run: async function* (session) {
    const { send, fixtures, knows, random } = session;
    const { id } = await submitted(session, 'submit', 'slow', session.freshKey());
    const fill = { id };
    const { last } = await readUntil(session, 'read', id, {
      holds: (job) => !['queued', ''].includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 100,
    });
    if (statusOf(last.json) !== 'running')
      throw new BrokenFixture('job.slow', `it went from queued to ${statusOf(last.json)}`, [last.id]);
    // Refused, whether for the request or for its caller. Their answers are judged elsewhere.
    const refused: Exchange[] = [
      await send('unknown', { fill: { id: randomId(random) } }),
      await send('malformed', { body: '{' }),
    ];
    // On the other surfaces, a caller without a credential may cancel.
    if (fixtures.surface === 'cloud' || fixtures.surface === 'serverless') {
      refused.push(await send('anonymous', { fill }));
      if (knows('jobStranger')) refused.push(await send('stranger', { fill }));
    }
    const answer = await send('cancel', { fill });
    if (isSuccess(answer) || refused.some(isSuccess)) return;
    // The effect on a job that has ended is open.
    const after = await send('read', { fill });
    if (statusOf(after.json) !== 'running') return;
    // Document 3, POST …/cancel, response 200: each cancellation of a running job, whatever was refused before.
    yield check(
      'jobs.cancel.200',
      [...refused, answer, after],
      false,
      'status 200 with the job',
      sketchRefusal(answer),
    );
  },
});
