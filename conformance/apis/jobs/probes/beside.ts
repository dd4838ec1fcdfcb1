import { judgeCompany } from '../../../scenarios/company.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { bodyOf, keyed, submit } from './job.ts';

/** How many jobs are submitted at the same time. */
const TOGETHER = 4;

export const submittedBeside = scenario({
  id: 'jobs.submit.beside',
  api: 'jobs',
  title: 'jobs that are submitted at the same time, each with its own key',
  permissions: ['jobs'],
  needs: ['job.ok'],
  sensitive: true,
  // Oracles judge whether each answer is about a job of its own.
  judges: ['jobs.submit.201', 'jobs.submit.queued'],
  searches: ['jobs.submit.201', 'jobs.submit.queued'],
  requests: {
    together: { ...submit, times: TOGETHER, judgesRefusal: true },
    alone: { ...submit, times: TOGETHER },
  },
  run: async function* ({ send, race, fixtures, freshKey }) {
    const body = bodyOf(fixtures, 'ok');
    const answers = await race(
      'together',
      Array.from({ length: TOGETHER }, () => keyed(body, freshKey())),
    );
    // Document 3, POST /api/v2/jobs: 201 for a valid graph.
    yield* judgeCompany('jobs.submit.201', answers, () => send('alone', keyed(body, freshKey())));
  },
});
