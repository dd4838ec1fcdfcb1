import type { Preflight } from '../../scenarios/preflight.ts';
import { READ, codeOf } from './probes/job.ts';

const NO_JOB = '00000000-0000-4000-8000-000000000000';

/**
 * A job that does not exist. An API of jobs answers with its own error shape (document 3, Error body); a
 * server with only other APIs answers in theirs. If the fixtures mention jobs, the API is expected, and a
 * wrong shape is a fault.
 */
export const jobsPreflight: Preflight = {
  api: 'jobs',
  id: 'jobs.preflight',
  requests: {
    first: { method: 'GET', target: READ.replace('{id}', NO_JOB), as: 'none', times: 1 },
  },
  read: (exchange, { job, surface, jobsBaseUrl }) => {
    const { status } = exchange;
    const isDeclared = [job, surface, jobsBaseUrl].some((fixture) => fixture !== undefined);
    if (isDeclared || status < 400 || status >= 500 || codeOf(exchange) !== undefined)
      return { served: 'served', says: '' };
    return {
      served: 'not-served',
      says: `The jobs API is not served here: GET ${READ.replace('{id}', '…')} returned ${status} without its error body`,
      help: 'It was not tested. If it is served here, set surface in the fixtures file.',
    };
  },
};
