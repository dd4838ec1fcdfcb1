import { findPolicy, policyFor } from '../../contract/index.ts';
import type { NameTable } from '../names.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName } from '../schemas/schema-table.ts';
import type { Api, ApiOperation } from './api.ts';
import type { GuardView } from './guards.ts';
import { headersOf } from './headers.ts';

/** What can be read of answers beside their results. */
export interface AnswersView {
  readonly failures: readonly FailureView[];
  /** Of a call whose key the server knows; undefined where the sheet tells of none. */
  readonly keyed: KeyedView | undefined;
  readonly spend: SpendView | undefined;
  readonly credits: CreditsView | undefined;
}

/** The errors of one operation by status, where the document describes their bodies. */
export interface FailureView {
  /** The operation's function and its id. */
  readonly name: string;
  readonly id: string;
  readonly read: string;
  readonly type: string;
  readonly guardsName: string;
  readonly statuses: readonly {
    readonly status: string;
    readonly body: string;
    readonly guard: string;
    /** The type of its headers, such as `RunModelHeaders[422]`. */
    readonly headers: string | undefined;
  }[];
}

export interface KeyedView {
  readonly replayed: string;
  readonly replayHeader: { readonly name: string; readonly value: string };
  readonly running: string;
  readonly runningStatus: number;
  readonly collectable: string;
  readonly collectableStatus: number;
  readonly marker: string;
}

export interface SpendView {
  readonly name: string;
  readonly headers: Readonly<Record<'limit' | 'current' | 'remaining', string>>;
}

export interface CreditsView {
  readonly name: string;
  readonly header: string;
}

export function answersView(
  api: Api,
  names: NameTable,
  guards: readonly GuardView[],
): AnswersView | undefined {
  const byType = new Map(guards.map((guard) => [guard.type, guard.is]));
  const failures = api.operations.flatMap((operation) => failureView(api, operation, names, byType));
  const key = api.operations
    .map(({ operation }) => policyFor(operation, 'idempotency'))
    .find((policy) => policy?.mode === 'replay');
  const { spend, credits } = findPolicy(api.contract, 'headers') ?? {};
  const view: AnswersView = {
    failures,
    keyed:
      key?.mode === 'replay'
        ? {
            replayed: names.claim('isReplay'),
            replayHeader: key.replayHeader,
            running: names.claim('isStillRunning'),
            runningStatus: key.inFlight.status,
            collectable: names.claim('isCollectable'),
            collectableStatus: key.collecting.status,
            marker: key.collecting.marker,
          }
        : undefined,
    spend: spend && { name: names.claim('committedSpend'), headers: spend },
    credits: credits === undefined ? undefined : { name: names.claim('creditsUsed'), header: credits },
  };
  const isEmpty = failures.length === 0 && [view.keyed, view.spend, view.credits].every((part) => !part);
  return isEmpty ? undefined : view;
}

// --- internal ---

function failureView(
  api: Api,
  operation: ApiOperation,
  names: NameTable,
  guards: ReadonlyMap<string, string>,
): FailureView[] {
  const { name, operation: source, responses } = operation;
  const known = new Set(headersOf(api, operation).map(({ status }) => status));
  const statuses = responses.flatMap(({ status, contents: [content, ...more] }) => {
    const schema = content?.carriage === 'json' && more.length === 0 ? content.schema : undefined;
    const body = isObject(schema) ? referredName(schema['$ref']) : undefined;
    const guard = guards.get(body ?? '');
    if (!/^[45]\d\d$/.test(status) || body === undefined || guard === undefined) return [];
    return [
      { status, body, guard, headers: known.has(status) ? `${operation.headersType}[${status}]` : undefined },
    ];
  });
  if (statuses.length === 0) return [];
  const stem = operation.responsesType.replace(/Responses(\d*)$/, 'Failures$1');
  return [
    {
      name,
      id: source.id,
      read: names.claim(`${name}Failure`),
      type: names.claim(stem),
      guardsName: names.claim(`${name}Bodies`),
      statuses,
    },
  ];
}
