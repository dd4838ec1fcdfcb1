import { type Json, type Operation, pagesPolicyOf, policyFor, type Schema } from '../../contract/index.ts';
import { type NameTable, valueName } from '../names.ts';
import { type Code, code, type Expression, jsString, layout, prose, valueExpression } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { commentOf } from '../schemas/comments.ts';
import { genericShape, literalShape, namedShape, saysSomething, unionShape } from '../schemas/type-shape.ts';
import { type ApiView, type ApiContent, type ApiOperation, type ApiResponse, isItemised } from './api.ts';
import { headersOf } from './headers.ts';
import { resultsOf } from './operation-answers.ts';
import { securityList } from './operation-credentials.ts';
import { type Member, operationObject, serverObject } from './operation-object.ts';
import type { RuntimeUse } from './runtime-use.ts';
import { memberAt } from './schema-shapes.ts';
import { answeredShape, eventShape, itemShape } from './shapes.ts';
import type { ModelsView } from './models.ts';
import { type LinkView, linkView, type WatchView, watchView } from './watch.ts';

export interface ClientView {
  readonly title: string;
  readonly create: string;
  /** The member of the client with its connection. */
  readonly connection: string;
  readonly clientType: string;
  readonly optionsType: string;
  /** The API's address in the document, if that is absolute. */
  readonly server: ServerAddressView | undefined;
  readonly schemes: readonly string[];
  readonly apiMembers: readonly Member[];
  readonly securities: readonly { readonly name: string; readonly value: Code }[];
  readonly operations: readonly CallView[];
  readonly watch: WatchView | undefined;
  /** Models by id, and the result type of running one. */
  readonly models: { readonly name: string; readonly run: string; readonly answer: string } | undefined;
  readonly uses: readonly RuntimeUse[];
}

export interface ServerAddressView {
  /** The function that connects to it. */
  readonly connect: string;
  readonly address: Code;
  /** The variables in the addresses of the document. */
  readonly variables: Json;
}

export interface CallView {
  /** The function in its module, the name under which the module exports it, and the member of the client. */
  readonly name: string;
  readonly exported: string;
  readonly member: string;
  readonly comment: readonly string[];
  /** The constant with its data. */
  readonly constant: string;
  readonly members: readonly Member[];
  /** The type of its parameters; `undefined` if it has none. */
  readonly inputType: string | undefined;
  /** The default for an input that was left out, as code; `undefined` if an input is required. */
  readonly inputDefault: string | undefined;
  readonly answerType: string;
  /** Alternatives of its result: `Answer<data, status, headers>`. */
  readonly answers: readonly {
    readonly status: Code;
    readonly data: Json;
    /** The type of its headers: a member of a type of `types.ts`. */
    readonly headers: { readonly type: string; readonly status: string } | undefined;
  }[];
  readonly errorType: string;
  readonly pages: PagesView | undefined;
  readonly refresh: RefreshView | undefined;
  readonly link: LinkView | undefined;
  readonly upload: UploadView | undefined;
}

/** A file that is uploaded to an address in an answer. */
export interface UploadView {
  readonly rulesName: string;
  readonly rules: Code;
  /** The function that uploads for an existing answer. */
  readonly upload: string;
  /** The function that makes the call and uploads. */
  readonly both: string;
}

/** An iteration over all pages of a list. */
export interface PagesView {
  readonly pagesName: string;
  readonly itemsName: string;
  readonly rulesName: string;
  readonly rules: Code;
  readonly item: Json;
}

/** A conditional read, without a body while the caller's copy is current. */
export interface RefreshView {
  readonly name: string;
  /** The member of the parameters with the entity tag. */
  readonly member: string;
  readonly data: Json;
}

export function clientView(
  api: ApiView,
  names: NameTable,
  options: {
    readonly errorType: string;
    readonly shape: (schema: Schema) => Json;
    readonly models: ModelsView | undefined;
  },
): ClientView {
  const { title } = api;
  const headers = api.contract.sheet?.policies.find((policy) => policy.kind === 'headers');
  const uses: RuntimeUse[] = [];
  const securities = new Map<string, { name: string; list: Expression }>();
  const securityName = ({ security }: Operation): string | undefined => {
    const list = securityList(security, uses);
    if (list === undefined) return undefined;
    const text = JSON.stringify(list);
    const schemes = security.map((alternative) => alternative.schemes.map(({ name }) => name).join(' and '));
    const wish = schemes.filter((scheme) => scheme !== '').join(' or ');
    const known = securities.get(text) ?? { name: names.claim(valueName(wish, 'by')), list };
    securities.set(text, known);
    return known.name;
  };
  const operations = api.operations.map((operation) => {
    const data = operationObject(operation, securityName(operation.operation), api.table);
    uses.push(...data.uses);
    return callView(api, operation, data.members, names, options);
  });
  const schemes = api.contract.operations.flatMap(({ security }) =>
    security.flatMap((requirement) => requirement.schemes.map(({ name }) => name)),
  );
  return {
    title,
    create: `create${title}`,
    connection: api.operations.some(({ member }) => member === 'connection')
      ? 'runtimeConnection'
      : 'connection',
    clientType: `${title}Client`,
    optionsType: `${title}Options`,
    server: serverView(api, names),
    schemes: [...new Set(schemes)],
    apiMembers: [
      { name: 'name', value: code(jsString(api.contract.name)) },
      ...(headers?.requestId === undefined
        ? []
        : [{ name: 'requestIdHeader', value: code(jsString(headers.requestId)) }]),
    ],
    securities: [...securities.values()].map(({ name, list }) => ({
      name,
      value: code(layout(list, 0, `const ${name}: NonNullable<Operation['security']> = `.length)),
    })),
    operations,
    watch: watchView(api, names),
    models: options.models && {
      name: options.models.name,
      run: options.models.run,
      answer: operations.find(({ name }) => name === options.models?.run)?.answerType ?? 'Answer',
    },
    uses,
  };
}

// --- internal ---

function callView(
  api: ApiView,
  operation: ApiOperation,
  members: readonly Member[],
  names: NameTable,
  { errorType, shape }: { readonly errorType: string; readonly shape: (schema: Schema) => Json },
): CallView {
  const { name, exported, member, operation: source, parameters, body } = operation;
  const isRequired = parameters.some(({ parameter }) => parameter.required) || body?.required === true;
  return {
    name,
    exported,
    member,
    comment: [
      ...paragraphs(source.summary, source.description),
      `\`${source.method.toUpperCase()} ${prose(source.path).join('')}\``,
      ...(source.deprecated ? ['@deprecated'] : []),
    ],
    constant: names.claim(`${member}Operation`),
    members,
    inputType: parameters.length > 0 || body !== undefined ? operation.parametersType : undefined,
    inputDefault: isRequired ? undefined : emptyInput(parameters.map(({ member }) => member)),
    answerType: names.claim(operation.responsesType.replace(/Responses(\d*)$/, 'Answer$1')),
    answers: answersOf(api, operation, shape),
    errorType,
    pages: pagesView(api, operation, names, shape),
    refresh: refreshView(operation, names, shape),
    link: linkView(api, operation, names),
    upload: uploadView(operation, names),
  };
}

/** Every object has a `constructor`, so `{}` is not a value of a type with a parameter of that name. */
function emptyInput(members: readonly string[]): string {
  const inherited = members.filter((member) => member in {} && !member.startsWith('__'));
  return inherited.length === 0
    ? '{}'
    : `{ ${inherited.map((member) => `${member}: undefined`).join(', ')} }`;
}

function serverView({ contract, title }: ApiView, names: NameTable): ServerAddressView | undefined {
  const [server] = contract.servers;
  if (server === undefined || !/^https?:\/\/[^/?#]/i.test(server.url) || /[?#]/.test(server.url))
    return undefined;
  const all = [server, ...contract.operations.flatMap(({ servers }) => servers.slice(0, 1))];
  const members = all.flatMap(({ variables }) =>
    variables.map(({ name, values, default: usual, description }): [string, Json] => {
      const type = values.length > 0 ? literalShape(values) : { type: 'string' };
      const comment = [...prose(description), ...commentOf({ default: usual })];
      return [name, { ...(unionShape([type, namedShape('undefined')]) as object), 'x-comment': comment }];
    }),
  );
  return {
    connect: names.claim(`connect${title}`),
    address: code(layout(serverObject(server), 0, 'const documentServer: ServerAddress = '.length)),
    variables:
      members.length === 0
        ? namedShape('undefined')
        : { type: 'object', properties: Object.fromEntries(members) },
  };
}

/** Prose with an empty line after each paragraph. */
function paragraphs(...texts: readonly (string | undefined)[]): string[] {
  const said = texts.filter((text, index) => texts.indexOf(text) === index).map((text) => prose(text));
  return said.flatMap((lines) => (lines.length === 0 ? [] : [...lines, '']));
}

function answersOf(
  api: ApiView,
  operation: ApiOperation,
  shape: (schema: Schema) => Json,
): CallView['answers'] {
  const results = resultsOf(operation.responses);
  if (results.length === 0) return [{ status: code('number'), data: true, headers: undefined }];
  const known = new Set(headersOf(api, operation).map(({ status }) => status));
  return results.map(({ status, contents }) => ({
    headers: known.has(status) ? { type: operation.headersType, status } : undefined,
    status: code(/^\d{3}$/.test(status) ? status : 'number'),
    data: contents.length === 0 ? namedShape('undefined') : dataShape(contents, shape),
  }));
}

function dataShape(contents: readonly ApiContent[], shape: (schema: Schema) => Json): Json {
  const shapes = contents.map(
    (content) => streamShape(content, contents.length > 1, shape) ?? answeredShape(content, shape),
  );
  return shapes.every((inner) => saysSomething(inner)) ? unionShape(shapes) : true;
}

/** The stream of a result; `undefined` if the result is not a stream. */
function streamShape(
  content: ApiContent,
  isOneOfSeveral: boolean,
  shape: (schema: Schema) => Json,
): Json | undefined {
  const { bodyFormat, events } = content;
  if (isItemised(bodyFormat)) return genericShape('ItemStream', itemShape(content, shape));
  if (bodyFormat !== 'events') return undefined;
  if (events.length === 0 && !isOneOfSeveral) return namedShape("Response['body']");
  return genericShape('ItemStream', eventShape(events, shape));
}

function pagesView(
  api: ApiView,
  operation: ApiOperation,
  names: NameTable,
  shape: (schema: Schema) => Json,
): PagesView | undefined {
  const policy = pagesPolicyOf(operation.operation);
  if (policy === undefined) return undefined;
  const memberOf = (wire: string): string =>
    operation.parameters.find(({ parameter }) => parameter.in === 'query' && parameter.name === wire)
      ?.member ?? wire;
  const page = resultsOf(operation.responses).flatMap(({ contents }: ApiResponse) => contents)[0]?.schema;
  const member = policy.page?.items;
  const list =
    page === undefined
      ? undefined
      : member === undefined
        ? memberAt(page, [], api.table)
        : (memberAt(page, [member], api.table) ?? memberAt(page, member.split('.'), api.table));
  const items = isObject(list) ? list['items'] : undefined;
  const rulesName = names.claim(`${operation.member}PageRules`);
  const {
    kind: _kind,
    operations: _operations,
    maximumLimit: _maximum,
    zeroIsDefault: _zero,
    noSuchPage: _none,
    ...steering
  } = policy;
  const {
    defaultLimit,
    totalHeader: _total,
    ...members
  }: typeof steering & { totalHeader?: string } = steering;
  const rules = valueExpression(
    Object.fromEntries(
      Object.entries(policy.kind === 'pagination' ? members : { ...members, defaultLimit }).map(
        ([name, value]) => [name, name.endsWith('Parameter') ? memberOf(String(value)) : (value as Json)],
      ),
    ),
  );
  return {
    pagesName: names.claim(`${operation.member}Pages`),
    itemsName: names.claim(`${operation.member}Items`),
    rulesName,
    rules: code(layout(rules, 0, `const ${rulesName}: PageRules = `.length)),
    item: typeof items === 'boolean' || isObject(items) ? shape(items) : true,
  };
}

function uploadView(operation: ApiOperation, names: NameTable): UploadView | undefined {
  const policy = policyFor(operation.operation, 'upload');
  if (policy === undefined) return undefined;
  const rulesName = names.claim(`${operation.member}UploadRules`);
  const { address, method, mediaType } = policy;
  const rules = valueExpression({ address: address.split('.'), method, mediaType });
  return {
    rulesName,
    rules: code(layout(rules, 0, `const ${rulesName}: UploadRules = `.length)),
    upload: names.claim(`${operation.member}Upload`),
    both: names.claim(`${operation.member}WithUpload`),
  };
}

function refreshView(
  operation: ApiOperation,
  names: NameTable,
  shape: (schema: Schema) => Json,
): RefreshView | undefined {
  const tag = operation.parameters.find(
    ({ parameter }) => parameter.in === 'header' && parameter.name.toLowerCase() === 'if-none-match',
  );
  const [full, ...others] = resultsOf(operation.responses);
  if (tag === undefined || full?.status !== '200' || others.length !== 1 || others[0]?.status !== '304')
    return undefined;
  return {
    name: names.claim(`${operation.member}Refresh`),
    member: tag.member,
    data: dataShape(full.contents, shape),
  };
}
