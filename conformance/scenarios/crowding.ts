import { withCaller } from './gates.ts';
import type { Scenario } from './scenario.ts';
import type { Target } from '../target/target.ts';
import { isUsable } from '../target/usable.ts';

/**
 * Whether two scenarios must not run concurrently: they name the same lock, one of them may change what the
 * other compares, or one of them may use up an account's capacity while the other calls with a credential of
 * that account. A 429 that the suite causes itself shows nothing about the server.
 */
export function mustNotMeet(one: Scenario, other: Scenario, target: Pick<Target, 'credentials'>): boolean {
  if (one.lock !== undefined && one.lock === other.lock) return true;
  if (one.api !== other.api) return false;
  if ((one.isUndisturbed && mayChange(other)) || (other.isUndisturbed && mayChange(one))) return true;
  if (!one.fillsCapacity && !other.fillsCapacity) return false;
  const secrets = callersOf(other, target);
  return [...callersOf(one, target)].some((secret) => secrets.has(secret));
}

// --- internal ---

/** Whether it calls operations that change something, with a credential or without a required one. */
function mayChange({ requests, permissions }: Scenario): boolean {
  return (
    permissions.length > 0 &&
    Object.values(requests).some(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
  );
}

/** The secrets of the callers that post; the empty one if a server requires none. */
function callersOf(
  { requests }: Scenario,
  { credentials }: Pick<Target, 'credentials'>,
): ReadonlySet<string> {
  const secrets = Object.values(requests)
    .map((plan) => withCaller({ credentials }, plan, true))
    .filter(({ method, as }) => method === 'POST' && isUsable(as))
    .map(({ as }) => credentials[as as keyof typeof credentials]?.value.replace(/^bearer +/i, '') ?? '');
  return new Set(secrets);
}
