import { createHash } from 'node:crypto';
import { readCredential, type CredentialsPolicy } from '../../contract/policies/credentials.ts';
import type { Call, Caller } from './call.ts';
import type { FrontRequest } from './front.ts';

/**
 * The caller, or why there is no valid one (open points ). Keys of the mock begin with its prefix
 * and `mock-`. The name of a scenario follows, and after a plus sign that of a namespace. Any well-formed JWT
 * is accepted; its signature is not checked.
 */
export function identify(
  policy: CredentialsPolicy,
  request: Pick<FrontRequest, 'header'>,
  keyPrefix = mockKeyPrefix(policy),
): Caller | 'none' | 'unusable' {
  const presented = readCredential(policy, request.header);
  switch (presented.kind) {
    case 'none':
    case 'unusable':
      return presented.kind;
    case 'api-key':
      return callerOfKey(presented.value, keyPrefix) ?? 'unusable';
    case 'bearer':
      return isJwt(presented.value)
        ? { scope: `jwt ${hashOf(presented.value)}`, namespace: '', scenario: '', kind: 'bearer' }
        : (callerOfKey(presented.value, keyPrefix) ?? 'unusable');
  }
}

/** Records the caller. Accepting a bearer token that is not a key depends on an open point. */
export function recognise(call: Call, caller: Caller, bearerRestsOn = 'A-04'): void {
  call.facts.caller = caller;
  call.note('credentials', caller.kind, caller.kind === 'bearer' ? bearerRestsOn : undefined);
}

/** The anonymous caller, for operations without a required credential. */
export function anonymous(scope: string): Caller {
  return { scope, namespace: '', scenario: '', kind: 'anonymous' };
}

/** The prefix of every key of the mock. */
export function mockKeyPrefix(policy: CredentialsPolicy): string {
  return `${policy.keyPrefix ?? ''}mock-`;
}

/** The ordinary key of the mock, without a scenario. */
export function usualKey(policy: CredentialsPolicy): string {
  return `${mockKeyPrefix(policy)}ok`;
}

/** The header line of a bearer token. */
export function bearer(token: string): readonly [name: string, value: string] {
  return ['Authorization', `Bearer ${token}`];
}

/**
 * A bearer token that the mock accepts: `{"alg":"none"}`, `{"sub":"tallystick"}`. No signature is checked
 * (open point A-04).
 */
export const MOCK_JWT = 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJ0YWxseXN0aWNrIn0.c2lnbmF0dXJl';

/** A scope for display. That of a bearer token has a hash of it, which says nothing to a reader. */
export function callerName(scope: string): string {
  return scope.startsWith('jwt ') ? 'jwt' : scope;
}

// --- internal ---

/** State and snapshots contain the scopes of callers, and no token. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function callerOfKey(value: string, prefix: string): Caller | undefined {
  if (!value.startsWith(prefix) || value.length > LONGEST_KEY) return undefined;
  const [name = '', namespace = ''] = value.slice(prefix.length).split('+', 2);
  if (!/^[a-z0-9-]+$/.test(name)) return undefined;
  const scenario = name === 'ok' ? '' : name;
  return { scope: `key ${name}+${namespace}`, namespace, scenario, kind: 'api-key' };
}

const LONGEST_KEY = 200;

/** Three parts in base64url, the first of which is a JSON object that names an algorithm. */
function isJwt(token: string): boolean {
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(token);
  if (parts === null) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null && 'alg' in header;
  } catch {
    return false;
  }
}
