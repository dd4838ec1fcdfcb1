import type { Behaviour, Call, Caller } from '../../call/call.ts';
import { anonymous, bearer, identify, usualKey } from '../../call/caller.ts';
import type { CredentialShape } from '../../control/shape.ts';
import { refuseJob, type Jobs } from './context.ts';

/**
 * Which credentials are accepted depends on the surface (document 3, "Authentication"): cloud and serverless
 * require an API key as a bearer token, a self-hosted instance requires its token if it has one, and the
 * public demo accepts everybody. If no credential is required, a key of the mock still identifies a caller,
 * so that scenarios and namespaces work.
 */
export function credentials(jobs: Jobs): Behaviour {
  return (call, next) => {
    const caller = jobs.mechanisms.identified(jobs, call);
    if (caller === undefined) {
      const message =
        jobs.settings.staticToken === undefined
          ? 'Send an API key as a bearer token.'
          : 'Send the token of this instance as a bearer token.';
      return refuseJob(jobs, call, { role: 'noCredential', message });
    }
    call.facts.caller = caller;
    call.note('credentials', caller.kind, restsOn[caller.kind]);
    return next();
  };
}

/** The credential that this surface expects. */
export function jobsCredential({ facts, settings }: Pick<Jobs, 'facts' | 'settings'>): CredentialShape {
  const { surface, staticToken } = settings;
  if (staticToken !== undefined) return { kind: 'token', value: staticToken, headers: [bearer(staticToken)] };
  if (surface === 'self-hosted' || surface === 'demo') return { kind: 'none', value: '', headers: [] };
  const value = usualKey(facts.credentials);
  return { kind: 'key', value, headers: [bearer(value)] };
}

/** The scope of the caller with this key, for naming the owner of something. */
export function scopeOfKey({ credentials: policy }: Jobs['facts'], key: string): string {
  const header = (name: string): string | undefined =>
    name === 'authorization' ? `Bearer ${key}` : undefined;
  const caller = identify(policy, { header });
  return typeof caller === 'object' ? caller.scope : key;
}

/** The caller, if this surface accepts the credential. */
export function identified({ facts, settings }: Jobs, call: Call): Caller | undefined {
  const { surface, staticToken } = settings;
  const known = identify(facts.credentials, call.request);
  const named = typeof known === 'object' ? known : undefined;
  switch (surface) {
    case 'cloud':
    case 'serverless':
      return named;
    case 'demo':
      return named ?? anonymous('visitors');
    case 'self-hosted': {
      if (staticToken === undefined) return named ?? anonymous('instance');
      const token = /^bearer +(\S+) *$/i.exec(call.request.header('authorization') ?? '')?.[1];
      return token === staticToken ? anonymous('instance') : undefined;
    }
  }
}

// --- internal ---

/**
 * The contract says that an API key gives access to jobs. It leaves open whether a JWT does, and who the
 * caller is without a credential.
 */
const restsOn = { 'api-key': undefined, bearer: 'A-94', anonymous: 'A-86' } as const;
