import type { PolicyKind } from '../policies/policy.ts';
import type { Effects } from './change.ts';

/** The effects of changes to a policy. A missing effect is `none`; a missing fact is `unknown`. */
export interface PolicyMeaning {
  readonly added: Partial<Effects>;
  readonly removed: Partial<Effects>;
  /** Keyed by the dotted path of the fact; items in a list of objects are identified by name. */
  readonly facts?: Readonly<Record<string, FactMeaning>>;
}

/** `either`: any other value. `less` and `more`: of a number, a duration, or the members of a list. */
export type FactMeaning =
  | { readonly either: Partial<Effects> }
  | { readonly less: Partial<Effects>; readonly more: Partial<Effects> };

const callers = { callers: 'wire' } as const;
const servers = { servers: 'wire' } as const;
const both = { callers: 'wire', servers: 'wire' } as const;
const unknown = { callers: 'unknown', servers: 'unknown' } as const;
const none = {};
/** A name, a status or a header that both sides must read and write alike. */
const agreed = { either: both };
/** Callers lose what servers no longer have to do; servers get what they newly have to do. */
const promised = { less: callers, more: servers };

/**
 * Which party is affected by a change of a policy: callers if a promise ends or shrinks, servers if a promise
 * is added. A change that concerns only the behaviour of generated clients is `code`.
 */
export const policyMeanings: Readonly<Record<PolicyKind, PolicyMeaning>> = {
  capacity: {
    added: callers,
    removed: servers,
    facts: {
      ...{ status: agreed, bucket: agreed, calls: promised, 'things.most': promised },
      'things.states': { less: servers, more: callers },
    },
  },
  'conditional-get': {
    added: servers,
    removed: { callers: 'code' },
    facts: { status: agreed, keptHeaders: promised },
  },
  'conditional-write': {
    added: callers,
    removed: servers,
    facts: {
      ...{ 'mismatch.status': agreed, 'required.status': agreed, 'exists.status': agreed },
      ...{ 'mismatch.bucket': agreed, 'required.bucket': agreed, 'exists.bucket': agreed },
    },
  },
  credentials: {
    added: unknown,
    removed: unknown,
    facts: { keyHeader: agreed, keyPrefix: agreed, first: agreed, exact: agreed },
  },
  deadline: {
    added: callers,
    removed: servers,
    // A caller whose timeout fits the old deadline gives up too early for a longer one.
    facts: { default: { less: servers, more: callers }, status: agreed, bucket: agreed },
  },
  diagnostics: { added: unknown, removed: unknown },
  'error-buckets': {
    added: servers,
    removed: { callers: 'code' },
    facts: {
      ...{ header: agreed, bodyMember: agreed, detailMember: agreed, fallback: agreed },
      // A caller treats an unknown bucket as the fallback. Code that uses the class of a removed bucket does
      // not compile.
      buckets: { less: { callers: 'code', servers: 'wire' }, more: none },
      ...{ 'buckets.level': agreed, 'buckets.status': agreed, 'buckets.billed': agreed },
      forecast: { less: none, more: none },
    },
  },
  'error-codes': {
    added: servers,
    removed: { callers: 'code' },
    facts: {
      code: agreed,
      message: agreed,
      codes: { less: { callers: 'code', servers: 'wire' }, more: none },
      'codes.status': agreed,
    },
  },
  'event-stream': {
    added: servers,
    removed: { callers: 'code' },
    facts: {
      ...{ 'events.status': agreed, 'events.progress': agreed, 'events.preview': agreed },
      ...{ stateFirst: promised, thing: agreed, namedJson: promised },
      ...{ terminalLast: promised, liveOnly: agreed },
    },
  },
  headers: {
    added: servers,
    removed: callers,
    facts: {
      ...{ requestId: agreed, credits: agreed },
      ...{ 'spend.limit': agreed, 'spend.current': agreed, 'spend.remaining': agreed },
    },
  },
  idempotency: {
    added: servers,
    removed: callers,
    facts: {
      ...{ mode: agreed, requestHeader: agreed, 'replayHeader.name': agreed, 'replayHeader.value': agreed },
      window: promised,
      // After a status in this list, the same key runs again.
      release: promised,
      ...{ 'inFlight.status': agreed, 'inFlight.retryAfter': agreed, 'consumed.status': agreed },
      ...{ 'inFlight.bucket': agreed, 'consumed.bucket': agreed, 'mismatch.bucket': agreed },
      ...{ 'mismatch.status': agreed, 'collecting.status': agreed, 'collecting.marker': agreed },
      ...{ 'reuse.status': agreed, 'reuse.code': agreed },
    },
  },
  lifecycle: {
    added: servers,
    removed: { callers: 'code' },
    facts: {
      states: { less: { callers: 'code', servers: 'wire' }, more: callers },
      initial: agreed,
      terminal: { less: both, more: both },
      ...{ frozen: promised, 'times.order': promised, 'times.expiry': agreed },
      ...{ 'refusal.status': agreed, 'refusal.bucket': agreed },
    },
  },
  links: { added: servers, removed: callers },
  'model-schemas': { added: none, removed: { callers: 'code' }, facts: { document: agreed, run: agreed } },
  'numbered-pages': {
    added: servers,
    removed: { callers: 'code' },
    facts: {
      ...{ pageParameter: agreed, offsetParameter: agreed, firstPage: agreed, limitParameter: agreed },
      ...{ 'page.items': agreed, 'page.more': agreed, 'page.limit': agreed, 'page.total': agreed },
      'page.place': agreed,
      totalHeader: agreed,
      maximumLimit: promised,
      ...{ zeroIsDefault: agreed, 'noSuchPage.status': agreed, 'noSuchPage.bucket': agreed },
    },
  },
  'open-values': {
    added: none,
    removed: { callers: 'code' },
    facts: { known: { less: { callers: 'code' }, more: none } },
  },
  pagination: {
    added: servers,
    removed: { callers: 'code' },
    facts: {
      ...{ cursorParameter: agreed, limitParameter: agreed },
      ...{ 'page.items': agreed, 'page.more': agreed, 'page.limit': agreed, 'page.next': agreed },
      maximumLimit: promised,
      ...{ zeroIsDefault: agreed, 'noSuchPage.status': agreed, 'noSuchPage.bucket': agreed },
    },
  },
  'plain-segments': {
    added: callers,
    removed: servers,
    facts: { parameters: { less: servers, more: callers } },
  },
  presence: { added: callers, removed: servers },
  resource: {
    added: servers,
    removed: callers,
    facts: {
      ...{ item: agreed, items: agreed, 'id.member': agreed, 'id.parameter': agreed },
      ...{ 'missing.status': agreed, 'taken.status': agreed },
      ...{ 'gone.status': agreed, 'otherCaller.status': agreed, owner: agreed },
      ...{ 'many.send': agreed, 'many.results': agreed, 'many.item': agreed, 'many.status': agreed },
      ...{
        'many.whole': agreed,
        idempotentDelete: agreed,
        'sort.parameter': agreed,
        'sort.descending': agreed,
      },
    },
  },
  'refused-format': {
    added: callers,
    removed: servers,
    facts: { arrays: { less: servers, more: callers }, code: agreed },
  },
  'reserved-fields': {
    added: callers,
    removed: servers,
    facts: {
      members: { less: servers, more: callers },
      checkedBy: { either: none },
      'refusal.status': agreed,
    },
  },
  retry: {
    added: unknown,
    removed: unknown,
    facts: { resend: promised, resendWhenTold: promised, finalBuckets: { less: servers, more: callers } },
  },
  rollout: { added: callers, removed: servers, facts: { status: agreed } },
  uniqueness: {
    added: callers,
    removed: servers,
    facts: {
      within: { less: callers, more: servers },
      checkedBy: { either: none },
      'refusal.status': agreed,
    },
  },
  upload: {
    added: { callers: 'code' },
    removed: { callers: 'code' },
    facts: { address: agreed, method: agreed, mediaType: agreed },
  },
};

/** Why the effect of a change to a policy is undecided. */
export const UNDECIDED = 'its effect depends on existing code';
