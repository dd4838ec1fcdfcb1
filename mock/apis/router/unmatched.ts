import type { Behaviour } from '../../call/call.ts';
import { refuseOpenly, type Router } from './context.ts';

/** Paths and methods that the document does not know (open point A-25); also the queue route, which is not served. */
export function unmatched(router: Router): Behaviour {
  return (call, next) => {
    const { match } = call;
    const { otherMethod, unknownPath } = router.assume('A-25');
    if (match.kind === 'operation') return next();
    if (match.kind === 'other-method') {
      const allow = match.allow
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
        .join(', ');
      return Promise.resolve(
        refuseOpenly(router, call, otherMethod, {
          detail: `${call.request.method} is not served here. What is: ${allow}.`,
          headers: [['Allow', allow]],
          because: 'A-25',
        }),
      );
    }
    return Promise.resolve(
      refuseOpenly(router, call, unknownPath, {
        detail: 'There is nothing at this path.',
        because: 'A-25',
      }),
    );
  };
}
