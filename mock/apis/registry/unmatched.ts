import type { Behaviour } from '../../call/call.ts';
import { refuse, type Registry } from './context.ts';

/** Paths and methods that the document does not have; also other routes of a partner (open point ). */
export function unmatched(registry: Registry): Behaviour {
  return (call, next) => {
    const { match, request } = call;
    if (match.kind === 'operation') return next();
    if (match.kind === 'other-method') {
      const allow = match.allow.join(', ');
      return Promise.resolve(
        refuse(registry, call, {
          status: 405,
          error: 'method_not_allowed',
          message: `${request.method} is not served here. What is: ${allow}.`,
          headers: [['Allow', allow]],
          because: 'A-25',
        }),
      );
    }
    return Promise.resolve(
      refuse(registry, call, {
        status: registry.assume('A-54').otherRoutes,
        error: 'not_here',
        message: 'There is nothing at this path.',
        because: 'A-54',
      }),
    );
  };
}
