import { findPolicy, policyFor } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { statedCodeOf } from './error-codes.ts';
import type { Facts } from './facts.ts';

/** A refusal as a policy states it: its status, and its bucket or code if errors of the API have one. */
export interface StatedRefusal {
  readonly status: number;
  readonly bucket?: string | undefined;
}

/** Judges a refusal by the status and by the bucket or code that the policy states. */
export function refusal(
  facts: Facts,
  name: string,
  seen: Exchange,
  { status, bucket }: StatedRefusal,
  what: string,
): ReturnType<Facts['status']> {
  const said = bucket === undefined ? what : `${what}, as ${bucket}`;
  return facts.status(name, seen, status, said, statesBucket(facts.api, seen, bucket));
}

/** Whether an error has this bucket or code; `true` if the sheet does not define their place in errors. */
export function statesBucket(api: OwnApi, seen: Exchange, bucket: string | undefined): boolean {
  if (bucket === undefined) return true;
  const buckets = findPolicy(api.contract, 'error-buckets');
  if (buckets !== undefined) return seen.header(buckets.header) === bucket;
  const code = statedCodeOf(api, seen);
  return code === undefined || code === bucket;
}

/** Whether the answer can be about the key of the call, which is checked first. */
export function refusesKeys(operation: Operation, status: number): boolean {
  const policy = policyFor(operation, 'idempotency');
  if (policy?.mode !== 'replay') return policy?.reuse.status === status;
  const { mismatch, inFlight, consumed } = policy;
  return [mismatch, inFlight, consumed].some((refusal) => refusal?.status === status);
}
