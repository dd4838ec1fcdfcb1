import { statedStatus, type BucketRole } from '../../../contract/policies/error-buckets.ts';
import { jsonAnswer, type Answer, type HeaderLine } from '../../call/answer.ts';
import type { AssumeRouter, AssumedRefusal } from './assumptions.ts';
import type { Call } from '../../call/call.ts';
import type { Catalogue } from './catalogue.ts';
import type { Clock } from '../../state/clock.ts';
import type { Ids } from '../../state/ids.ts';
import type { CursorSeal } from './cursor-seal.ts';
import type { RouterMechanisms } from './mechanisms.ts';
import type { RouterFacts } from './facts.ts';
import type { WatchedMap } from '../../state/watched-map.ts';
import type { Profile } from '../../profile.ts';
import type { Replacing } from '../../deviations/replacements.ts';
import type { AnswerStore, KeyLedger } from '../../state/key-ledger.ts';
import type { ScenarioRequests } from '../../scenarios/requested-scenarios.ts';

/**
 * The dependencies that the router's behaviours share: facts of the contract, the state of this mock, and its
 * clock.
 */
export interface Router {
  readonly facts: RouterFacts;
  readonly assume: AssumeRouter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly profile: Profile;
  /** The configured deadline in milliseconds; default: that of the contract. */
  readonly deadlineMs: number | undefined;
  /** The public address for clients; if left out, that of the request. */
  readonly publicUrl: string | undefined;
  readonly deviations: readonly Replacing[];
  readonly mechanisms: RouterMechanisms;
  /** Replaced by a reset. A behaviour that waits keeps the state with which it began. */
  state: RouterState;
}

export interface RouterState extends ScenarioRequests {
  readonly catalogue: Catalogue;
  readonly ledger: KeyLedger;
  /** The store of the ledger, possibly replaced by deviations. */
  readonly store: AnswerStore;
  /** When the generation after a 504 will be done, by the name of its key (`keyId`). */
  readonly generations: WatchedMap<number>;
  readonly cursors: CursorSeal;
  /** How many calls reached each model. */
  readonly dispatches: WatchedMap<number>;
}

export interface RouterRefusal {
  readonly role: BucketRole;
  readonly detail: string;
  /** If it differs from the usual one of the bucket. */
  readonly status?: number;
  readonly headers?: readonly HeaderLine[];
  /** The basis of the answer: the id of a rule or of an open point. */
  readonly because?: string;
}

/** A request-level error of the router: the bucket in the body and on the header (document 1, "Errors"). */
export function refuse(router: Router, call: Call, refusal: RouterRefusal): Answer {
  const { buckets } = router.facts;
  const bucket = buckets.roles[refusal.role];
  const stated = statedStatus(buckets, bucket);
  const status = refusal.status ?? stated ?? router.assume('A-06').status[bucket] ?? 500;
  const licence = refusal.because ?? (stated === undefined ? 'A-06' : undefined);
  call.note('answer', `${String(status)} ${bucket}`, licence);
  return bucketAnswer(router, {
    status,
    bucket,
    detail: refusal.detail,
    headers: refusal.headers ?? [],
    licence,
  });
}

/**
 * An error with any bucket, even an unknown one. The contract shows a text only for the capacity (document 1,
 * "RouterErrorResponse"), so the profile `legal-but-odd` leaves it out elsewhere.
 */
export function bucketAnswer(
  router: Router,
  error: {
    readonly status: number;
    readonly bucket: string;
    readonly detail: string;
    readonly headers: readonly HeaderLine[];
    readonly licence: string | undefined;
  },
): Answer {
  const { header, bodyMember, detailMember, roles } = router.facts.buckets;
  // The contract defines this detail and requires it nowhere else (document 1, "RouterErrorResponse").
  const isStated = error.bucket === roles.capacity;
  const detail =
    isStated || router.assume('A-01').detail === 'always' ? { [detailMember]: error.detail } : {};
  return jsonAnswer(
    error.status,
    { [bodyMember]: error.bucket, ...detail },
    {
      headers: [[header, error.bucket], ...error.headers],
      ...(error.licence === undefined ? {} : { licence: error.licence }),
    },
  );
}

/** A refusal whose status and bucket the contract leaves open: they come from the open point. */
export function refuseOpenly(
  router: Router,
  call: Call,
  { status, bucket }: AssumedRefusal,
  refusal: Omit<RouterRefusal, 'role' | 'status'>,
): Answer {
  return refuse(router, call, { ...refusal, status, role: roleOf(router, bucket) });
}

/** The role of a bucket, for facts of the sheet that name the bucket. */
export function roleOf(router: Router, bucket: string | undefined): BucketRole {
  const roles = Object.entries(router.facts.buckets.roles) as [BucketRole, string][];
  return roles.find(([, name]) => name === bucket)?.[0] ?? 'internal';
}
