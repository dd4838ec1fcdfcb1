import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { SendOptions, Session } from '../../scenarios/scenario.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { serialisedParameters } from './serialised-parameters.ts';
import { bodyFor, documentedValues, fixedValue } from './values.ts';
import { valueKey } from './value-key.ts';
import { freshAt } from './variants.ts';
import { written } from './wire-body.ts';

/**
 * A value for each required parameter: one that is already known, else from the fixtures file, else from the
 * document.
 */
export function requiredValues(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
  known: Values = {},
): Values {
  const key = policyFor(operation, 'idempotency')?.requestHeader.toLowerCase();
  const values: [string, Json][] = operation.parameters.flatMap((parameter): [string, Json][] => {
    const { name, required, in: place } = parameter;
    const at = valueKey(operation, parameter);
    if (Object.hasOwn(known, at)) return [[at, known[at] as Json]];
    if (!required) return [];
    if (place === 'header' && name.toLowerCase() === key) return [[at, session.freshKey()]];
    const value =
      fixedValue(session.fixtures, operation, parameter) ?? documentedValues(api, parameter)[0]?.value;
    if (value === undefined)
      throw new NotExercised(`parameters.${name}`, `needs a value for the parameter ${name}`);
    return [[at, value]];
  });
  return Object.fromEntries(values);
}

/**
 * A valid request for an operation.
 *
 * @throws {NotExercised} if no valid body or no value of a parameter is known
 */
export function inputFor(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
  known: Values = {},
): SendOptions & { readonly body?: string } {
  const sent = serialisedParameters(operation, requiredValues(api, operation, session, known));
  const { requestBody } = operation;
  if (requestBody === undefined) return sent;
  const body = bodyFor(api, operation, session.fixtures);
  if (body === undefined && requestBody.required)
    throw new NotExercised(
      `bodies.${operation.id}`,
      `needs a body for ${operation.id}: the document has no example, and none could be generated from its schema`,
    );
  if (body === undefined) return sent;
  const value = freshBody(api, operation, body.value, session.freshKey);
  return withBody(sent, written(value, body), body.mediaType);
}

/** The same body, with unique values for members that must be unique, including the id. */
export function freshBody(api: OwnApi, operation: Operation, value: Json, freshKey: () => string): Json {
  return (api.contract.sheet?.policies ?? []).reduce<Json>((body, policy) => {
    const isUnique = policy.kind === 'uniqueness' && policy.operations.includes(operation.id);
    const member = isUnique
      ? policy.member
      : policy.kind === 'resource'
        ? chosenId(policy, operation)
        : undefined;
    return member === undefined ? body : freshAt(api, operation, body, member, freshKey);
  }, value);
}

export function withBody(
  { headers = [], ...sent }: SendOptions,
  body: string,
  mediaType: string,
): SendOptions & { readonly body: string } {
  return { ...sent, headers: [...headers, ['Content-Type', mediaType]], body };
}

// --- internal ---

/** The member of a request with the id of the resource that it creates. */
function chosenId(
  { id, operations }: PolicyOf<'resource'>,
  { id: own, path }: Operation,
): string | undefined {
  const isInPath = path.includes(`{${id.parameter ?? id.member}}`);
  return id.form === 'caller' && operations.create === own && !isInPath ? id.member : undefined;
}
