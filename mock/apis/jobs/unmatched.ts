import type { Behaviour } from '../../call/call.ts';
import { refuseJob, type Jobs } from './context.ts';

/** Paths and methods that the document does not know, the list of jobs among them (open point A-89). */
export function unmatched(jobs: Jobs): Behaviour {
  return (call, next) => {
    const { match, request } = call;
    if (match.kind === 'operation') return next();
    const because = 'A-89';
    if (match.kind === 'none') {
      const message = 'There is nothing at this path.';
      return Promise.resolve(
        licensed(refuseJob(jobs, call, { role: 'unknownJob', message, because }), because),
      );
    }
    const allow = match.allow.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    const isRead = request.effectiveMethod === 'GET';
    const answer = refuseJob(jobs, call, {
      role: 'unknownJob',
      message: `${request.method} is not served here. What is: ${allow}.`,
      status: isRead ? jobs.assume('A-89').status : NO_SUCH_METHOD,
      headers: isRead ? [] : [['Allow', allow]],
      because,
    });
    return Promise.resolve(licensed(answer, because));
  };
}

// --- internal ---

const NO_SUCH_METHOD = 405;

/** Outside the document every status needs a licence. */
function licensed<Licensed extends object>(
  answer: Licensed,
  licence: string,
): Licensed & { licence: string } {
  return { ...answer, licence };
}
