import type { CredentialsPolicy } from '../../../contract/policies/credentials.ts';
import type { Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { identify, recognise } from '../../call/caller.ts';
import { refusedCaller } from '../../scenarios/refused-caller.ts';
import { refuse, type Registry } from './context.ts';

/**
 * Determines the caller from the credentials that the operation declares. Later behaviours decide whether an
 * anonymous call is allowed.
 */
export function credentials(registry: Registry): Behaviour {
  return (call, next) => {
    const caller = registry.mechanisms.identified(registry, call);
    if (typeof caller === 'object') recognise(call, caller);
    return next();
  };
}

/** The caller, if it presents a credential of a declared form. */
export function identified(registry: Registry, call: Call): ReturnType<typeof identify> {
  return identify(credentialsTaken(registry, call), call.request);
}

/** Whether the request has no credential, or an unusable one. */
export function missingCredential(registry: Registry, call: Call): 'none' | 'unusable' | undefined {
  if (call.facts.caller !== undefined) return undefined;
  return identified(registry, call) === 'none' ? 'none' : 'unusable';
}

/** Valid credentials that are refused nevertheless, as their names say. Publishing costs nothing. */
export function accessRefusal(registry: Registry, call: Call): Answer | undefined {
  const isPublication = registry.facts.uniqueness.operations.includes(call.operation?.id ?? '');
  const refusal = refusedCaller(call, ({ role }) => role !== 'noCredits' || !isPublication);
  if (refusal === undefined) return undefined;
  const { role, detail: message } = refusal;
  switch (role) {
    case 'noCredits':
      return refuse(registry, call, { status: 402, error: 'no_credits', message, because: 'A-50' });
    case 'rateLimit':
      return refuse(registry, call, {
        status: 429,
        error: 'too_many_requests',
        message,
        headers: [['Retry-After', '1']],
        because: 'A-57',
      });
    default:
      return refuse(registry, call, { status: 403, error: 'forbidden', message });
  }
}

// --- internal ---

/**
 * The credentials that the operation declares. Without a key scheme of its own, a key can only be sent as a
 * bearer token; with one, a bearer token may be accepted too (open point A-55).
 */
function credentialsTaken({ facts, assume, besideRouter }: Registry, { operation }: Call): CredentialsPolicy {
  const schemes = operation?.security.flatMap((either) => either.schemes);
  const isDeclared = schemes?.some(({ type }) => type === 'apiKey') !== false;
  if (isDeclared && (besideRouter || assume('A-55').apiKeyIn === 'either header')) return facts.credentials;
  const { keyHeader: _never, ...bearerOnly } = facts.credentials;
  return bearerOnly;
}
