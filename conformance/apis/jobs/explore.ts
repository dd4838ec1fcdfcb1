import { byCaller, knownCallers } from '../../explore/callers.ts';
import { exploration } from '../../explore/exploration.ts';
import type { Permission, Scenario, Session } from '../../scenarios/scenario.ts';
import { accessRules, cancelling, reading, waiting, watching } from './explore-access.ts';
import type { Visitor } from './explore-access.ts';
import type { KnownJobs } from './explore-state.ts';
import {
  submissionRules,
  submitting,
  submittingAgain,
  submittingBadly,
  submittingFreed,
} from './explore-submissions.ts';
import { jobsOracles } from './oracles/index.ts';
import { CANCEL, EVENTS, READ, SUBMIT, bodyOf } from './probes/job.ts';

const VISITORS = ['jobOwner', 'jobStranger', 'none', 'unusable'] as const satisfies readonly Visitor[];

const requests = {
  ...byCaller('submit', { method: 'POST', target: SUBMIT, share: 0.4 }, ['jobOwner', 'none', 'unusable']),
  ...byCaller('read', { method: 'GET', target: READ, share: 0.25 }, VISITORS),
  ...byCaller('cancel', { method: 'POST', target: CANCEL, share: 0.15 }, VISITORS),
  ...byCaller('events', { method: 'GET', target: EVENTS, share: 0.15 }, VISITORS),
};

export const jobsExplorations: readonly Scenario[] = [
  exploring({
    id: 'jobs.explore.jobs',
    title: 'courses of jobs: keys, defects, callers, cancellations, streams',
    permissions: ['jobs'],
    bodies: ['ok', 'tiny', 'fail'],
  }),
  exploring({
    id: 'jobs.explore.slow-jobs',
    title: 'the same with jobs that take their time',
    permissions: ['jobs', 'slow'],
    bodies: ['slow'],
  }),
];

// --- internal ---

/**
 * Document 3, Authentication: the callers that this surface refuses. Others are open on a server without
 * accounts.
 */
function visitorsOf(session: Pick<Session, 'fixtures' | 'knows'>): readonly Visitor[] {
  const { surface, staticToken } = session.fixtures;
  if (surface === 'cloud' || surface === 'serverless')
    return knownCallers(session, ['jobOwner', 'jobStranger', 'none']);
  return surface === 'self-hosted' && staticToken !== undefined ? ['jobOwner', 'unusable'] : ['jobOwner'];
}

/**
 * Jobs that are submitted, read, watched and cancelled, with all kinds of keys; the first body creates the
 * first job.
 */
function exploring({
  bodies,
  ...about
}: {
  readonly id: string;
  readonly title: string;
  readonly permissions: readonly Permission[];
  readonly bodies: readonly [string, ...string[]];
}): Scenario {
  return exploration<KnownJobs, typeof requests>({
    ...about,
    api: 'jobs',
    needs: ['job.ok', `job.${bodies[0]}`],
    judges: [...submissionRules, ...accessRules],
    requests,
    oracles: jobsOracles,
    model: (session) => {
      const visitors = visitorsOf(session);
      const { fixtures } = session;
      return Promise.resolve({
        start: () => ({ jobs: [], keys: [] }),
        operations: {
          submit: submitting(bodies.filter((name) => bodyOf(fixtures, name) !== undefined)),
          'submit badly': submittingBadly(fixtures, visitors),
          'submit again': submittingAgain,
          'submit under a freed key': submittingFreed,
          read: reading(visitors),
          cancel: cancelling(visitors),
          watch: watching(visitors),
          wait: waiting,
        },
        opening: [
          {
            operation: 'submit',
            choices: { body: bodies[0], key: 'fresh', framing: 'length', together: 'one' },
          },
        ],
      });
    },
  });
}
