import type { Json, Schema } from '../../contract/index.ts';
import { joinPointer } from '../../contract/pointer.ts';
import { followedSchema } from '../../contract/sequential/alternatives.ts';
import { listOfValues } from '../../contract/sequential/pieces.ts';
import { servedApiOf } from '../../contract/served/served.ts';
import { schemaNames } from '../../contract/served/served-schemas.ts';
import type { BodyFormat, ServedApi, ServedOperation } from '../../engine/served-api.ts';
import { type NameTable, nameTable, typeName, valueName } from '../names.ts';
import { runtimeNames } from '../validators/runtime-names.ts';
import { type Expression, jsString, prose, valueExpression } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName } from '../schemas/table-entry.ts';
import { unionShape } from '../schemas/type-shape.ts';
import { type ApiView, type ApiOperation, isItemised } from './api.ts';
import type { ErrorsView } from './errors.ts';
import type { GuardView } from './guards.ts';
import { ownHeaders, type ReplyHeadersView, replyHeadersView } from './reply-headers.ts';
import { shaper } from './schema-shapes.ts';
import { eventShape } from './shapes.ts';
import { sharedWireTypes } from './wire-types.ts';

/** The content of `server.ts`: an interface of handlers, and the data of the API for the engine. */
export interface ServerView {
  readonly title: string;
  readonly handlersType: string;
  /** The type of the reasons that a refusal can name. */
  readonly reasons: string;
  /** The names of the security schemes, by which credentials are passed. */
  readonly schemes: readonly string[];
  /** The engine's form of the API, without its operations. */
  readonly api: Expression;
  /** A function for each schema that the engine refers to by name. */
  readonly judges: Expression;
  /**
   * The engine's data for each operation. Each is a constant, because compilers cannot handle a long list of
   * literals.
   */
  readonly served: readonly { readonly name: string; readonly value: Expression }[];
  /** Types of forms that several operations share. */
  readonly wireTypes: readonly { readonly name: string; readonly value: Expression }[];
  readonly operations: readonly ServedView[];
  /** The type with the names of headers that handlers need not provide; `undefined` if there are none. */
  readonly ownHeaders: { readonly type: string; readonly names: readonly string[] } | undefined;
  /** The transitions between the states of resources, for lifecycles that state how a wrong call is refused. */
  readonly transitions: readonly TransitionsView[];
  /** Parameters with a schema of their own, which a function of this module validates. */
  readonly checks: readonly { readonly name: string; readonly schema: Schema }[];
}

/** A function that returns the next state of a resource, or throws the refusal of the sheet. */
export interface TransitionsView {
  /** The name of the resource, for people. */
  readonly noun: string;
  readonly name: string;
  /** The names of the types of states and of causes. */
  readonly stateType: string;
  readonly causeType: string;
  readonly states: readonly string[];
  readonly causes: readonly string[];
  readonly ways: { readonly name: string; readonly value: Expression };
  readonly refusal: Expression;
}

export interface ServedView {
  readonly name: string;
  /** As the document has it. */
  readonly id: string;
  readonly comment: readonly string[];
  readonly replyType: string;
  /** The type of its input; `undefined` if it has none. */
  readonly inputType: string | undefined;
  /** A body of it can be bytes, which arrive as a Blob in every case. */
  readonly takesBytes: boolean;
  readonly responsesType: string;
  readonly headers: ReplyHeadersView | undefined;
  /** Statuses whose body is a stream of events. */
  readonly streams: readonly string[];
  /** The shape of these events; `undefined` if the document does not describe them. */
  readonly events: Json | undefined;
  /** Statuses whose body is a list that can be sent item by item. */
  readonly itemised: readonly string[];
}

export function serverView(api: ApiView, errors: ErrorsView, guards: readonly GuardView[]): ServerView {
  const names = nameTable([
    ...['api', 'checks', 'createServer', 'refuse', 'runtime', 'types', 'validators', 'errors'],
    ...runtimeNames,
  ]);
  const handlersType = names.claim(`${api.title}Handlers`);
  const replies = api.operations.map(({ operation }) =>
    names.claim(`${typeName(operation.id, 'Call')}Reply`),
  );
  const own = ownHeaders(api);
  const { operations: described, ...whole } = servedApiOf(api.contract, memberOf(api));
  const operations = described.map((operation, index) => withInputs(api, operation, index));
  const servedNames = operations.map((_, index) =>
    names.claim(`${api.operations[index]?.member ?? ''}Operation`),
  );
  const { constants, expressionOf } = sharedWireTypes(operations, (wish) => names.claim(wish));
  const served = operations.map((operation, index) => ({
    name: servedNames[index] ?? '',
    value: expressionOf(operation),
  }));

  const checkOf = new Map(guards.map(({ type, check }) => [type, `validators.${check}`]));
  const checks: { name: string; schema: Schema }[] = [];
  const made = new Map<string, string>();
  const check = ({ schema, wish }: PlacedSchema): string => {
    const named =
      isObject(schema) && Object.keys(schema).length === 1 ? referredName(schema['$ref']) : undefined;
    const known = named === undefined ? undefined : checkOf.get(named);
    if (known !== undefined) return known;
    // A document repeats its headers with every answer, so equal checks are shared.
    const key = JSON.stringify([wish, schema]);
    const name = made.get(key) ?? names.claim(valueName(wish, 'check'));
    if (!made.has(key)) checks.push({ name, schema });
    made.set(key, name);
    return `(value) => check(${name}, value)`;
  };
  const placed = placedSchemas(api);
  const judges = namedSchemas(operations).map((name): readonly [string, Expression] => {
    const found = placed.get(name);
    if (found === undefined) throw new Error(`the schema ${name} was not placed`);
    return [name, check(found)];
  });
  return {
    title: api.contract.title,
    handlersType,
    reasons: reasonsOf(errors),
    schemes: schemesOf(whole, operations),
    api: {
      members: [
        ...Object.entries(whole).map(([name, value]) => [name, valueExpression(value)] as const),
        ['operations', { list: served.map(({ name }) => name) }],
      ],
    },
    judges: { members: judges },
    wireTypes: constants,
    served,
    operations: api.operations.map((operation, index) => servedView(api, operation, replies[index] ?? '')),
    transitions: transitionsViews(api, names),
    checks,
    ownHeaders: own.length === 0 ? undefined : { type: names.claim('OwnHeaders'), names: own },
  };
}

// --- internal ---

function transitionsViews({ contract: { sheet } }: ApiView, names: NameTable): readonly TransitionsView[] {
  return (sheet?.policies ?? []).flatMap((policy): readonly TransitionsView[] => {
    if (policy.kind !== 'lifecycle' || policy.refusal === undefined || policy.transitions.length === 0)
      return [];
    const noun = typeName(policy.schema);
    return [
      {
        noun: policy.schema,
        name: names.claim(`next${noun}State`),
        stateType: names.claim(`${noun}State`),
        causeType: names.claim(`${noun}Cause`),
        states: policy.states,
        causes: [...new Set(policy.transitions.map(({ on }) => on))],
        ways: {
          name: names.claim(`${valueName(noun)}Transitions`),
          value: { list: policy.transitions.map(({ from, to, on }) => valueExpression({ from, on, to })) },
        },
        refusal: valueExpression(policy.refusal),
      },
    ];
  });
}

function schemesOf(
  { keyPrefix }: Pick<ServedApi, 'keyPrefix'>,
  operations: readonly ServedOperation[],
): readonly string[] {
  const named = operations.flatMap(({ security = [] }) => security.flat().map(({ name }) => name));
  return [...new Set([...named, ...(keyPrefix === undefined ? [] : [keyPrefix.scheme])])];
}

/** The types of inputs name the members. */
function memberOf({ operations }: ApiView): Parameters<typeof servedApiOf>[1] {
  const members = new Map(
    operations.flatMap(({ parameters }) => parameters.map(({ parameter, member }) => [parameter, member])),
  );
  return (_operation, parameter) => members.get(parameter);
}

/** A component can require other members in a request than in an answer. Then it has another name here. */
function inputName(api: ApiView, name: string, schema: Schema | undefined): string {
  const type = isObject(schema) ? referredName(schema['$ref']) : undefined;
  const component = api.table.nameAt(joinPointer('/components/schemas', name));
  return type === undefined || component === undefined || type === component ? name : `${name} in requests`;
}

function withInputs(api: ApiView, operation: ServedOperation, index: number): ServedOperation {
  const { body } = api.operations[index] ?? {};
  if (body === undefined || operation.body === undefined) return operation;
  const all = [body.content, ...body.others];
  const contents = operation.body.contents.map((content, at) =>
    content.schema === undefined
      ? content
      : { ...content, schema: inputName(api, content.schema, all[at]?.schema) },
  );
  return { ...operation, body: { ...operation.body, contents } };
}

/** A schema whose references point into the table, with the name for a function that validates it. */
interface PlacedSchema {
  readonly schema: Schema;
  readonly wish: string;
}

/** The schemas of an API under the names that the engine uses. */
function placedSchemas(api: ApiView): ReadonlyMap<string, PlacedSchema> {
  const placed = new Map<string, PlacedSchema>();
  const place = (name: string, schema: Schema | undefined, wish: string): void => {
    if (schema !== undefined && !placed.has(name)) placed.set(name, { schema, wish });
  };
  for (const { name, operation, parameters, body, responses } of api.operations) {
    for (const { parameter, schema } of parameters)
      place(schemaNames.parameter(operation, parameter), schema, `${name} ${parameter.name}`);
    for (const content of body === undefined ? [] : [body.content, ...body.others]) {
      const sent = operation.requestBody?.content.find(({ mediaType }) => mediaType === content.mediaType);
      if (sent !== undefined)
        content.events.forEach(({ data }, index) => {
          place(schemaNames.event(operation, sent, index), data, `${name} event`);
        });
      const values = sent && listOfValues(sent, api.contract.document);
      if (sent !== undefined && values !== undefined)
        place(schemaNames.values(operation, sent), listLike(values, content.schema, api), `${name} body`);
      else if (sent !== undefined)
        place(
          inputName(api, schemaNames.body(operation, sent), content.schema),
          content.schema,
          `${name} body`,
        );
    }
    responses.forEach(({ status, contents, headers }, at) => {
      operation.responses[at]?.content.forEach((content) => {
        const known = contents.find(({ mediaType }) => mediaType === content.mediaType);
        place(schemaNames.response(operation, status, content), known?.schema, `${name} ${status}`);
      });
      operation.responses[at]?.headers.forEach((header, index) => {
        const wish = `${header.name} header`;
        place(schemaNames.header(operation, status, header), headers[index]?.schema, wish);
      });
    });
  }
  return placed;
}

/** A list of items that point into the table, with the limits of the list in the document. */
function listLike(list: Schema, items: Schema | undefined, { contract }: ApiView): Schema {
  const described = followedSchema(list, contract.document);
  const limits = LIMITS.flatMap((limit): [string, Json][] =>
    isObject(described) && described[limit] !== undefined ? [[limit, described[limit]]] : [],
  );
  return { type: 'array', items: items ?? true, ...Object.fromEntries(limits) };
}

const LIMITS = ['minItems', 'maxItems', 'uniqueItems'];

function namedSchemas(operations: ServedApi['operations']): readonly string[] {
  const names = operations.flatMap(({ parameters = [], body, responses, responseHeaders = {} }) =>
    [
      ...parameters,
      ...(body?.contents ?? []),
      ...(body?.contents ?? []).flatMap(({ events = [] }) => events),
      ...Object.values(responses).flat(),
      ...Object.values(responseHeaders).flat(),
    ].flatMap(({ schema }) => schema ?? []),
  );
  return [...new Set(names)].sort();
}

function servedView(api: ApiView, served: ApiOperation, replyType: string): ServedView {
  const { member, operation, parameters, body, parametersType, responsesType, responses } = served;
  const { summary, description, method, path, deprecated } = operation;
  return {
    name: member,
    id: operation.id,
    comment: [
      ...prose(summary),
      ...(description === undefined || description === summary ? [] : ['', ...prose(description)]),
      ...((summary ?? description) === undefined ? [] : ['']),
      `\`${method.toUpperCase()} ${prose(path).join('')}\``,
      ...(deprecated ? ['@deprecated'] : []),
    ],
    replyType,
    inputType: parameters.length > 0 || body !== undefined ? parametersType : undefined,
    takesBytes:
      body !== undefined && [body.content, ...body.others].some(({ bodyFormat }) => bodyFormat === 'binary'),
    responsesType,
    headers: replyHeadersView(api, served),
    streams: statusesWith(responses, (bodyFormat) => bodyFormat === 'events'),
    events: sentEvents(api, responses),
    itemised: statusesWith(responses, isItemised),
  };
}

/** Events of any kind may be sent where one of several streams is not described. */
function sentEvents(api: ApiView, responses: ApiOperation['responses']): Json | undefined {
  const streams = responses.flatMap(({ contents }) =>
    contents.filter(({ bodyFormat }) => bodyFormat === 'events'),
  );
  if (streams.length === 0 || streams.some(({ events }) => events.length === 0)) return undefined;
  const shape = shaper(api);
  return unionShape(streams.map(({ events }) => eventShape(events, shape, 'runtime.SentEvent')));
}

function statusesWith(
  responses: ApiOperation['responses'],
  isWanted: (bodyFormat: BodyFormat) => boolean,
): string[] {
  return responses
    .filter(({ contents }) => contents.some(({ bodyFormat }) => isWanted(bodyFormat)))
    .map(({ status }) => status);
}

function reasonsOf({ buckets, codes }: ErrorsView): string {
  if (buckets !== undefined) return `errors.${buckets.bucketType}`;
  const known = (codes?.classes ?? []).map(({ bucket }) => jsString(bucket));
  return known.length === 0 ? 'string' : [...known, '(string & {})'].join(' | ');
}
