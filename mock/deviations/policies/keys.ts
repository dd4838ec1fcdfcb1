import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { matchesStatus } from '../../../contract/policies/status-pattern.ts';
import type { ServedOperation } from '../../../engine/served-api.ts';
import { bodyText } from '../../call/answer.ts';
import { asStatus, withHeader, withoutHeader, type AnswerChange } from '../changes.ts';
import { isSuccess, status, when, type Condition } from '../conditions.ts';
import type { Row } from '../../enacted/tables.ts';
import type { Replacements } from '../replacements.ts';
import {
  alongCases,
  alongPolicy,
  anotherStatus,
  documented,
  firstAgain,
  otherThan,
  undeclared,
  type Ways,
} from './broken.ts';
import { at } from './on-things.ts';

type Replay = Extract<PolicyOf<'idempotency'>, { mode: 'replay' }>;
type SingleUse = Extract<PolicyOf<'idempotency'>, { mode: 'single-use' }>;

/** Ways to mishandle a key whose answer is replayed. */
export function replayWays(policy: Replay, id: string): Ways {
  const { replayHeader, mismatch, inFlight } = policy;
  const marked: AnswerChange =
    replayHeader === undefined ? (answer) => answer : withHeader(replayHeader.name, replayHeader.value);
  return {
    ...(replayHeader === undefined
      ? {}
      : {
          'first-use~marked': [
            when(isSuccess, marked),
            alongPolicy('resource', 'the mark seems to be that of another caller', 'owned'),
            alongCases('a call with a freed key seems not to run', 'released'),
          ] as const,
          'replayed~unmarked': [
            when(isReplay, withoutHeader(replayHeader.name)),
            alongCases('without the header, a call that ran again looks like a replay', 'in-flight'),
          ] as const,
        }),
    'replayed~another-body': when(isReplay, withSpace),
    'replayed~another-status': [
      when(isReplay, (answer, seen) => asStatus(answer.status === 200 ? 201 : 200)(answer, seen)),
      undeclared,
    ],
    'replayed~forgotten': [
      withKeys(id, undefined),
      alongCases('nothing is known of a key', 'mismatch', 'in-flight'),
      documented('what creates a thing twice may refuse it', 'status'),
    ],
    'mismatch~another-status': [
      withKeys(id, { ...policy, mismatch: { ...mismatch, status: otherThan(mismatch.status) } }),
      anotherStatus,
    ],
    'in-flight~another-status': [
      withKeys(id, { ...policy, inFlight: { ...inFlight, status: otherThan(inFlight.status) } }),
      anotherStatus,
    ],
    ...(inFlight.retryAfter
      ? { 'in-flight~no-advice': withKeys(id, { ...policy, inFlight: { ...inFlight, retryAfter: false } }) }
      : {}),
    // What only an error of the server frees needs fixtures that bring it about.
    ...([400, 422].some((refused) => matchesStatus(policy.release, refused))
      ? {
          'released~kept': [
            withKeys(id, { ...policy, release: [] }),
            documented('a later body may meet the key of an earlier one', 'bad-body'),
          ] as const,
        }
      : {}),
    ...windowWays(policy, id),
    'mismatch~replayed': [
      firstAgain([status(mismatch.status)], marked),
      documented('invalid bodies may have the status as well', 'bad-body', 'bad-input'),
    ],
  };
}

/** Ways to mishandle a single-use key. */
export function singleUseWays(policy: SingleUse, id: string): Ways {
  const { reuse, release = [] } = policy;
  return {
    ...(release.length === 0
      ? {}
      : {
          'released~kept': [
            keptAfterRefusals(policy),
            documented('the body is that of a success', 'answer', 'status'),
            alongPolicy('error-codes', 'the body is that of a success', 'shape'),
          ] as const,
        }),
    'used~again': withKeys(id, undefined),
    'used~another-status': [
      withKeys(id, { ...policy, reuse: { ...reuse, status: otherThan(reuse.status) } }),
      anotherStatus,
    ],
    ...windowWays(policy, id),
  };
}

/** A key is forgotten too early or too late, and a call without one is refused. */
function windowWays(policy: Replay | SingleUse, id: string): Ways {
  return {
    'window~an-hour': withKeys(id, { ...policy, window: 'PT1H' }),
    'window~for-years': withKeys(id, { ...policy, window: 'P1000D' }),
    'no-key~refused': when(
      [isSuccess, (_, { request }) => request.header(policy.requestHeader.toLowerCase()) === undefined],
      asStatus(400),
    ),
  };
}

/** Ways to mishandle a call that exceeds the capacity. */
export function capacityWays(contract: Contract, policy: PolicyOf<'capacity'>, id: string): Ways {
  const capacity = { ...policy, status: otherThan(policy.status) };
  const other: Ways['calls~another-status'] = [
    withPolicy(id, (operation) => ({ ...operation, capacity })),
    anotherStatus,
  ];
  const { things } = policy;
  const bounded = (bound: typeof things): Ways[keyof Ways] =>
    withPolicy(id, (operation) => ({
      ...operation,
      capacity: { ...policy, ...(bound && { things: bound }) },
    }));
  return {
    ...(policy.calls === undefined ? {} : { 'calls~another-status': other }),
    ...(things === undefined
      ? {}
      : {
          'things~another-status': other,
          'things~one-more': bounded({ ...things, most: things.most + 1 }),
          ...removedToo(contract, id),
          ...(things.states === undefined ? {} : { 'things~in-every-state': bounded({ most: things.most }) }),
        }),
  };
}

/** Ways to mishandle a call beyond the deadline. */
export function deadlineWays(policy: PolicyOf<'deadline'>, id: string): Ways {
  const late = { ...policy, status: otherThan(policy.status) };
  return {
    'expired~another-status': [
      withPolicy(id, (operation) => ({ ...operation, deadline: late })),
      anotherStatus,
    ],
    'expired~never': withPolicy(id, ({ deadline: _, ...operation }) => operation),
  };
}

/** A deviation that gives an operation other facts. */
export function withPolicy(
  id: string,
  change: (operation: ServedOperation) => ServedOperation,
): Pick<Replacements, 'policies'> {
  return {
    policies: (honest) => (operation) =>
      operation.id === id ? change(honest(operation)) : honest(operation),
  };
}

// --- internal ---

/** What was removed counts towards a bound as before. */
function removedToo(contract: Contract, create: string): Ways {
  const policy = resourcesOf(contract).find(({ operations }) => operations.create === create);
  const removal = policy?.operations.delete;
  if (removal === undefined) return {};
  const gone: Row[] = [];
  return {
    'things~removed-too': [
      at([create, removal], (things) => ({
        delete: (row, isKept) => {
          gone.push(...things.rows(row.within).filter(({ id }) => id === row.id));
          things.delete(row, isKept);
        },
        rows: (within) => [...things.rows(within), ...gone],
      })),
      alongPolicy('uniqueness', 'what was removed has its values still', 'taken'),
    ],
  };
}

/** A key whose first call was refused counts as used. */
function keptAfterRefusals({ requestHeader, reuse, release = [] }: SingleUse): AnswerChange {
  const known = new Map<string, 'refused' | 'used'>();
  return (answer, seen) => {
    const key = seen.request.header(requestHeader.toLowerCase());
    if (key === undefined) return answer;
    const before = known.get(key);
    if (before === undefined && isSuccess(answer)) known.set(key, 'used');
    if (before === undefined && matchesStatus(release, answer.status)) known.set(key, 'refused');
    return before === 'refused' && isSuccess(answer) ? asStatus(reuse.status)(answer, seen) : answer;
  };
}

const isReplay: Condition = (_, { facts }) => facts.replayed === true;

const withSpace: AnswerChange = (answer) =>
  answer.body.kind === 'json'
    ? { ...answer, body: { ...answer.body, text: `${bodyText(answer.body)} ` } }
    : answer;

/** A deviation that handles keys in another way, or ignores them. */
function withKeys(
  id: string,
  idempotency: ServedOperation['idempotency'] | undefined,
): Pick<Replacements, 'policies'> {
  return withPolicy(id, ({ idempotency: _, ...operation }) =>
    idempotency === undefined ? operation : { ...operation, idempotency },
  );
}
