import { isBodiless, isJson } from '../../../contract/judge/body-format.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { idOfNobody } from '../document/ids.ts';
import type { Reads, FoundCall } from '../document/reads.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { documentedValues, fixedValue, isValid } from '../document/values.ts';
import { valueKey } from '../document/value-key.ts';
import type { Resource, SendOptions, Session } from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, isSecured, pathParameters, sentContent, streams } from '../own-api.ts';

/**
 * A call that shows whether its caller is let in, and does nothing: a read, or a call whose body no server can act on.
 */
export interface HarmlessCall {
  readonly operation: Operation;
  /** The read that supplies its values. */
  readonly found: Resource<FoundCall> | undefined;
  /** The same call in several forms: a server may look at a body before it looks at the caller. */
  readonly forms: readonly ((
    session: Pick<Session, 'fixtures' | 'freshKey' | 'obtain'>,
  ) => Promise<SendOptions>)[];
}

/** The harmless calls of an API, of operations that want a credential. Bounded; those of reads come first. */
export function harmlessCalls(api: OwnApi, reads: Reads): readonly HarmlessCall[] {
  const secured = api.operations.filter((one) => api.atAddressOf(one).every(isSecured) && !streams(one));
  const calls = secured.flatMap((operation) =>
    isRead(operation) ? readOf(api, reads, operation) : badCall(api, operation),
  );
  return [
    ...spread(calls.filter(({ operation }) => isRead(operation))),
    ...spread(calls.filter(({ operation }) => !isRead(operation))),
  ];
}

// --- internal ---

/** Of reads, and of calls with a body. */
const MOST_CALLS = 8;

function spread<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.max(1, items.length / MOST_CALLS);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function readOf(api: OwnApi, reads: Reads, operation: Operation): readonly HarmlessCall[] {
  if (operation.method !== 'get') return [];
  const isFound = pathParameters(operation).length > 0;
  const found = isFound ? reads.ofIfKnown(operation) : undefined;
  return [
    {
      operation,
      found,
      forms: [
        async (session) => {
          const known = found === undefined ? undefined : await session.obtain(found);
          return serialisedParameters(
            operation,
            known?.answer === undefined ? valuesOf(api, operation, session) : known.values,
          );
        },
      ],
    },
  ];
}

/** Only JSON can break off, so that no server reads a request from it. */
function badCall(api: OwnApi, operation: Operation): readonly HarmlessCall[] {
  const content = sentContent(operation);
  if (content === undefined || !isJson(content.mediaType) || isBodiless(operation.method)) return [];
  const bodies = ['{"tallystick":', ...(isValid(api, content, {}) ? [] : ['{}'])];
  return [
    {
      operation,
      found: undefined,
      forms: bodies.map((body) => async (session) => {
        const sent = serialisedParameters(operation, valuesOf(api, operation, session));
        return Promise.resolve({
          ...sent,
          headers: [...sent.headers, ['Content-Type', content.mediaType] as const],
          body,
        });
      }),
    },
  ];
}

/** Values of the fixtures, or else of nothing that exists. */
function valuesOf(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    operation.parameters
      .filter(({ required }) => required)
      .map((parameter) => [
        valueKey(operation, parameter),
        fixedValue(session.fixtures, operation, parameter) ??
          (parameter.in === 'path' ? idOfNobody(api, parameter, session.freshKey) : undefined) ??
          documentedValues(api, parameter).at(-1)?.value ??
          'tallystick',
      ]),
  );
}
