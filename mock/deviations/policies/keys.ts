import type { PolicyOf } from '../../../contract/index.ts';
import type { ServedOperation } from '../../../engine/served-api.ts';
import { bodyText, withHeaders, withoutHeaders } from '../../call/answer.ts';
import type { Answer } from '../../call/answer.ts';
import type { Deviation } from '../deviation.ts';
import type { WayToBreak } from './broken.ts';

type Replay = Extract<PolicyOf<'idempotency'>, { mode: 'replay' }>;
type SingleUse = Extract<PolicyOf<'idempotency'>, { mode: 'single-use' }>;

/** Ways to mishandle a key whose answer is replayed. */
export function replayWays(policy: Replay, id: string): readonly WayToBreak[] {
  const { name, value } = policy.replayHeader;
  return [
    {
      case: 'first-use',
      variant: 'marked',
      parts: { onReply: (answer) => (isSuccess(answer) ? withHeaders(answer, [[name, value]]) : answer) },
    },
    {
      case: 'replayed',
      variant: 'unmarked',
      along: [[['in-flight'], 'a call that ran again cannot be told from a replay without its mark']],
      parts: onReplay((answer) => withoutHeaders(answer, name)),
    },
    {
      case: 'replayed',
      variant: 'another-body',
      parts: onReplay((answer) =>
        answer.body.kind === 'json'
          ? { ...answer, body: { ...answer.body, text: `${bodyText(answer.body)} ` } }
          : answer,
      ),
    },
    {
      case: 'replayed',
      variant: 'another-status',
      document: UNDECLARED_STATUS,
      parts: onReplay((answer) => ({ ...answer, status: answer.status === 200 ? 201 : 200 })),
    },
    {
      case: 'replayed',
      variant: 'forgotten',
      along: [[['mismatch', 'in-flight'], 'nothing is known of a key']],
      document: [[['status'], 'what creates a thing twice may refuse it']],
      parts: withKeys(id, undefined),
    },
    {
      case: 'mismatch',
      variant: 'another-status',
      document: UNDECLARED_STATUS,
      parts: withKeys(id, { ...policy, mismatch: { status: otherThan(policy.mismatch.status) } }),
    },
    {
      case: 'in-flight',
      variant: 'another-status',
      document: UNDECLARED_STATUS,
      parts: withKeys(id, {
        ...policy,
        inFlight: { ...policy.inFlight, status: otherThan(policy.inFlight.status) },
      }),
    },
    ...(policy.inFlight.retryAfter
      ? [
          {
            case: 'in-flight',
            variant: 'no-advice',
            parts: withKeys(id, { ...policy, inFlight: { ...policy.inFlight, retryAfter: false } }),
          } satisfies WayToBreak,
        ]
      : []),
    {
      case: 'mismatch',
      variant: 'replayed',
      parts: remembering((first, answer) =>
        answer.status === policy.mismatch.status && first !== undefined
          ? withHeaders(first, [[name, value]])
          : answer,
      ),
    },
  ];
}

/** Ways to mishandle a single-use key. */
export function singleUseWays(policy: SingleUse, id: string): readonly WayToBreak[] {
  return [
    {
      case: 'used',
      variant: 'again',
      parts: withKeys(id, undefined),
    },
    {
      case: 'used',
      variant: 'another-status',
      document: UNDECLARED_STATUS,
      parts: withKeys(id, { ...policy, reuse: { ...policy.reuse, status: otherThan(policy.reuse.status) } }),
    },
  ];
}

/** Ways to mishandle a call too many. */
export function capacityWays(policy: PolicyOf<'capacity'>, id: string): readonly WayToBreak[] {
  return [
    {
      case: 'calls',
      variant: 'another-status',
      document: UNDECLARED_STATUS,
      beside: [
        ['error-codes', ['status'], 'the code belongs to the status that it should be'],
        ['error-buckets', ['status'], 'the bucket belongs to the status that it should be'],
      ],
      parts: withPolicy(id, (operation) => ({
        ...operation,
        capacity: { ...policy, status: otherThan(policy.status) },
      })),
    },
  ];
}

/** Ways to mishandle a call that takes too long. */
export function deadlineWays(policy: PolicyOf<'deadline'>, id: string): readonly WayToBreak[] {
  return [
    {
      case: 'expired',
      variant: 'another-status',
      document: UNDECLARED_STATUS,
      beside: [
        ['error-codes', ['status'], 'the code belongs to the status that it should be'],
        ['error-buckets', ['status'], 'the bucket belongs to the status that it should be'],
      ],
      parts: withPolicy(id, (operation) => ({
        ...operation,
        deadline: { ...policy, status: otherThan(policy.status) },
      })),
    },
    {
      case: 'expired',
      variant: 'never',
      parts: withPolicy(id, ({ deadline: _, ...operation }) => operation),
    },
  ];
}

/** A deviation that gives an operation other facts. */
export function withPolicy(
  id: string,
  change: (operation: ServedOperation) => ServedOperation,
): Pick<Deviation, 'replaces'> {
  return {
    replaces: {
      policies: (honest) => (operation) =>
        operation.id === id ? change(honest(operation)) : honest(operation),
    },
  };
}

/** A deviation that gives an earlier success in the place of an answer. The first one of each path is remembered. */
export function remembering(
  change: (first: Answer | undefined, answer: Answer, seen: Seen) => Answer,
): Pick<Deviation, 'onReply'> {
  const firsts = new Map<string, Answer>();
  return {
    onReply: (answer, seen) => {
      const { path } = seen.request;
      const changed = change(firsts.get(path), answer, seen);
      if (isSuccess(answer) && !firsts.has(path)) firsts.set(path, answer);
      return changed;
    },
  };
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

export type Seen = Parameters<NonNullable<Deviation['onReply']>>[1];

// --- internal ---

const UNDECLARED_STATUS: NonNullable<WayToBreak['document']> = [
  [['status'], 'the status may be none that the document declares'],
];

/** A deviation that treats keys in another way, or takes no notice of them. */
function withKeys(
  id: string,
  idempotency: ServedOperation['idempotency'] | undefined,
): Pick<Deviation, 'replaces'> {
  return withPolicy(id, ({ idempotency: _, ...operation }) =>
    idempotency === undefined ? operation : { ...operation, idempotency },
  );
}

export function otherThan(status: number): number {
  return status === 409 ? 422 : 409;
}

function onReplay(change: (answer: Answer) => Answer): Pick<Deviation, 'onReply'> {
  return { onReply: (answer, { facts }) => (facts.replayed === true ? change(answer) : answer) };
}
