import type { Behaviour } from '../../call/call.ts';
import { identify, recognise } from '../../call/caller.ts';
import { refuse, type Router } from './context.ts';

/**
 * Every operation requires a credential (document 1, "Authentication" 1, 5). A call without one is refused
 * first, so that its answer reveals nothing about models or keys (open point A-11).
 */
export function credentials(router: Router): Behaviour {
  return (call, next) => {
    const caller = identify(router.facts.credentials, call.request);
    if (typeof caller === 'object') {
      recognise(call, caller);
      return next();
    }
    return refuse(router, call, {
      role: 'noCredential',
      detail: caller === 'none' ? 'Send a bearer token or an API key.' : 'This credential is not valid here.',
      because: 'router.auth.required',
    });
  };
}
