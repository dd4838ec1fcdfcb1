import { findPolicy, lifecyclesOf, type Json, type Schema } from '../../contract/index.ts';
import { type NameTable, typeName, valueName } from '../names.ts';
import { type Code, code, layout, memberAccess, valueExpression } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName } from '../schemas/table-entry.ts';
import { namedShape } from '../schemas/type-shape.ts';
import type { ApiView, ApiOperation } from './api.ts';
import { resultsOf } from './operation-answers.ts';
import { memberAt } from './schema-shapes.ts';

/** A resource that is watched until it is terminal: by its events, and by an authoritative read. */
export interface WatchView {
  readonly followName: string;
  readonly waitName: string;
  readonly rulesName: string;
  readonly rules: Code;
  /** The functions of the two operations. */
  readonly stream: string;
  readonly read: string;
  readonly inputType: string;
  readonly resource: Json;
  /** Whether the read has other answers, such as 304, which an unconditional read does not get. */
  readonly hasOtherAnswers: boolean;
}

/** An operation that a link in a resource leads to. */
export interface LinkView {
  readonly name: string;
  /** The type of the answer with the link. */
  readonly resource: Json;
  /** The path of the link, as arguments. */
  readonly path: readonly string[];
  /** The operation's own parameters, read from the resource. */
  readonly input: Code;
}

export function watchView(api: ApiView, names: NameTable): WatchView | undefined {
  const events = findPolicy(api.contract, 'event-stream');
  const links = findPolicy(api.contract, 'links');
  if (events === undefined) return undefined;
  const stream = api.operations.find(({ operation }) => events.operations.includes(operation.id));
  const read = api.operations.find(({ operation }) => operation.id === events.authority);
  if (stream === undefined || read === undefined || !takesTheSame(stream, read)) return undefined;
  const shown = lifecyclesOf(api.contract).flatMap((policy) => {
    const name = identifierOf(api, policy.schema);
    return name !== undefined && shows(read, name) ? [{ lifecycle: policy, identifier: name }] : [];
  })[0];
  if (shown === undefined) return undefined;
  const { lifecycle, identifier } = shown;

  const { [stream.operation.id]: streamLink, [read.operation.id]: readLink } = links?.members ?? {};
  const rules = valueExpression({
    events: events.events,
    property: lifecycle.property,
    terminal: lifecycle.terminal,
    ...(links === undefined || streamLink === undefined || readLink === undefined
      ? {}
      : { links: { property: links.property, stream: streamLink, read: readLink } }),
  });
  const noun = typeName(lifecycle.schema);
  const rulesName = names.claim(`${valueName(noun)}FollowRules`);
  return {
    followName: names.claim(`follow${noun}`),
    waitName: names.claim(`waitFor${noun}`),
    rulesName,
    rules: code(layout(rules, 0, `const ${rulesName}: FollowRules = `.length)),
    stream: stream.name,
    read: read.name,
    inputType: read.parametersType,
    resource: namedShape(identifier),
    hasOtherAnswers: resultsOf(read.responses).length > 1,
  };
}

/** A link alone can call an operation only if the resource contains all of its parameters. */
export function linkView(api: ApiView, operation: ApiOperation, names: NameTable): LinkView | undefined {
  const links = findPolicy(api.contract, 'links');
  const member = links?.members?.[operation.operation.id];
  const resource = links && typeOf(api, links.schema);
  if (links === undefined || member === undefined || resource === undefined) return undefined;
  const schema = schemaOf(api, links.schema);
  const needed = operation.parameters.filter(({ parameter }) => parameter.required);
  const isKnown = needed.every(
    ({ parameter }) => parameter.in === 'path' && memberAt(schema, [parameter.name], api.table) !== undefined,
  );
  if (!isKnown || operation.body?.required === true) return undefined;
  const given = needed.map(({ parameter, member: name }): [string, string] => [
    name,
    `answer.data${memberAccess(parameter.name)}`,
  ]);
  return {
    name: names.claim(`${operation.member}Of`),
    resource,
    path: [links.property, member],
    input: code(layout({ members: given }, 0, 0)),
  };
}

// --- internal ---

function schemaOf(api: ApiView, name: string): Schema {
  const named = api.contract.schemas.find((schema) => schema.name === name);
  const identifier = api.table.nameAt(named?.pointer ?? '');
  return api.table.entries.find((entry) => entry.name === identifier)?.schema ?? true;
}

function typeOf(api: ApiView, name: string): Json | undefined {
  const identifier = identifierOf(api, name);
  return identifier === undefined ? undefined : namedShape(identifier);
}

function identifierOf(api: ApiView, name: string): string | undefined {
  const named = api.contract.schemas.find((schema) => schema.name === name);
  return api.table.nameAt(named?.pointer ?? '');
}

/** Whether the body of a successful read is the resource itself. */
function shows(read: ApiOperation, identifier: string): boolean {
  return resultsOf(read.responses).some(({ contents }) =>
    contents.some(({ schema }) => isObject(schema) && referredName(schema['$ref']) === identifier),
  );
}

/** Whether the same input is valid for both calls. */
function takesTheSame(stream: ApiOperation, read: ApiOperation): boolean {
  const members = (operation: ApiOperation): string =>
    JSON.stringify(
      operation.parameters.map(({ member, parameter }) => [member, parameter.required, parameter.in]),
    );
  return members(stream) === members(read) && read.parameters.length > 0 && read.body === undefined;
}
