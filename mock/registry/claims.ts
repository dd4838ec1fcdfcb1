import type { UniquenessPolicy } from '../../contract/policies/uniqueness.ts';
import type { Call } from '../call.ts';
import { parameterOf } from './context.ts';

/** What a version would take for itself: within its node, and as if there were no nodes. */
export function claimsOf(
  policy: UniquenessPolicy,
  call: Call,
): { readonly forNode: string; readonly forAll: string } {
  const value = JSON.stringify(memberAt(policy.member, call)) ?? '';
  const within = policy.within.map((name) => parameterOf(call, name));
  return { forNode: JSON.stringify([...within, value]), forAll: value };
}

// --- internal ---

function memberAt(path: string, call: Call): unknown {
  const body = call.request.body();
  let value: unknown = body.kind === 'json' ? body.value : undefined;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[member];
  }
  return value;
}
