import { findPolicy, policyFor } from '../../contract/index.ts';
import type { NameTable } from '../names.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName } from '../schemas/table-entry.ts';
import type { ApiView, ApiOperation } from './api.ts';
import { jsString } from '../printing.ts';
import type { GuardView } from './guards.ts';
import { headersOf } from './headers.ts';
import { resultsOf } from './operation-answers.ts';

/** The information in answers besides their results. */
export interface AnswersView {
  readonly failures: readonly FailureView[];
  /** Of a call whose key is already known to the server; undefined if the sheet names none. */
  readonly keyed: KeyedView | undefined;
  readonly spend: SpendView | undefined;
  readonly credits: CreditsView | undefined;
  readonly segments: SegmentsView | undefined;
}

/** The errors of one operation by status, if the document describes their bodies. */
export interface FailureView {
  /** The operation's function and its id. */
  readonly name: string;
  readonly id: string;
  readonly read: string;
  readonly type: string;
  readonly guardsName: string;
  readonly statuses: readonly {
    /** As code: `404`, `'4XX'` or `'default'`. */
    readonly status: string;
    readonly body: string;
    readonly guard: string;
    /** The type of its headers, such as `RunModelHeaders[422]`. */
    readonly headers: string | undefined;
  }[];
}

export interface KeyedView {
  /** `undefined` if a replay looks like the first answer. */
  readonly replay: { readonly function: string; readonly header: string; readonly value: string } | undefined;
  readonly running: string;
  readonly runningStatus: number;
  readonly conflict: string;
  /** As code: whether `error` has a status for keys that are used up, or belong to another request. */
  readonly conflictTest: string;
  readonly consumed: { readonly name: string; readonly status: number } | undefined;
  readonly collectable:
    { readonly name: string; readonly status: number; readonly marker: string } | undefined;
}

export interface SpendView {
  readonly name: string;
  readonly headers: Readonly<Record<'limit' | 'current' | 'remaining', string>>;
}

/** Ids whose segments are segments of a path. */
export interface SegmentsView {
  readonly name: string;
  readonly members: readonly string[];
}

export interface CreditsView {
  readonly name: string;
  readonly header: string;
}

export function answersView(api: ApiView, names: NameTable, guards: readonly GuardView[]): AnswersView {
  const byType = new Map(guards.map((guard) => [guard.type, guard.is]));
  const failures = api.operations.flatMap((operation) => failureView(api, operation, names, byType));
  const key = api.operations
    .map(({ operation }) => policyFor(operation, 'idempotency'))
    .find((policy) => policy?.mode === 'replay');
  const { spend, credits } = findPolicy(api.contract, 'headers') ?? {};
  return {
    failures,
    keyed:
      key?.mode === 'replay'
        ? {
            replay: key.replayHeader && {
              function: names.claim('isReplay'),
              header: key.replayHeader.name,
              value: key.replayHeader.value,
            },
            running: names.claim('isStillRunning'),
            runningStatus: key.inFlight.status,
            conflict: names.claim('isKeyConflict'),
            conflictTest: statusTest([key.consumed?.status ?? key.mismatch.status, key.mismatch.status]),
            consumed: key.consumed && { name: names.claim('isConsumed'), status: key.consumed.status },
            collectable: key.collecting && { name: names.claim('isCollectable'), ...key.collecting },
          }
        : undefined,
    spend: spend && { name: names.claim('committedSpend'), headers: spend },
    credits: credits === undefined ? undefined : { name: names.claim('creditsUsed'), header: credits },
    segments: segmentsView(api, names),
  };
}

// --- internal ---

function statusTest(statuses: readonly number[]): string {
  const [first, ...others] = [...new Set(statuses)].map((status) => `error.status === ${String(status)}`);
  return others.length === 0 ? String(first) : `(${[first, ...others].join(' || ')})`;
}

/** An id with one segment needs no function. */
function segmentsView(api: ApiView, names: NameTable): SegmentsView | undefined {
  for (const { operation, parameters } of api.operations) {
    const named = policyFor(operation, 'plain-segments')?.parameters ?? [];
    const members = named.flatMap(
      (name) =>
        parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)?.member ?? [],
    );
    if (members.length > 1 && members.length === named.length)
      return { name: names.claim('idSegments'), members };
  }
  return undefined;
}

function failureView(
  api: ApiView,
  operation: ApiOperation,
  names: NameTable,
  guards: ReadonlyMap<string, string>,
): FailureView[] {
  const { member, operation: source, responses } = operation;
  const known = new Set(headersOf(api, operation).map(({ status }) => status));
  const results = new Set(resultsOf(responses));
  const statuses = responses.flatMap((response) => {
    const { status, contents } = response;
    const bodies = contents.flatMap(({ bodyFormat, schema }) =>
      bodyFormat === 'json' && isObject(schema) ? (referredName(schema['$ref']) ?? []) : [],
    );
    const [body, ...others] = new Set(bodies);
    const guard = guards.get(body ?? '');
    const isError = /^(?:[45](?:\d\d|XX)|default)$/i.test(status) && !results.has(response);
    if (!isError || body === undefined || others.length > 0 || guard === undefined) return [];
    const key = /^\d+$/.test(status) ? status : jsString(status);
    return [
      {
        status: key,
        body,
        guard,
        headers: known.has(status) ? `${operation.headersType}[${key}]` : undefined,
      },
    ];
  });
  if (statuses.length === 0) return [];
  const stem = operation.responsesType.replace(/Responses(\d*)$/, 'Failures$1');
  return [
    {
      name: member,
      id: source.id,
      read: names.claim(`${member}Failure`),
      type: names.claim(stem),
      guardsName: names.claim(`${member}Bodies`),
      statuses,
    },
  ];
}
