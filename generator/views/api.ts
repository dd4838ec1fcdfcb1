import {
  type Contract,
  findPolicy,
  type Incoming,
  type MediaType,
  type MemberEncoding,
  type Operation,
  type Parameter,
  policyFor,
  type PolicyOf,
  type ResponseHeader,
  type Schema,
} from '../../contract/index.ts';
import { bodyFormatOf, orderedContents } from '../../contract/judge/body-format.ts';
import { answerFormatOf, type Pieces, piecesOf } from '../../contract/sequential/pieces.ts';
import type { PieceKind } from '../../contract/sequential/piece-kind.ts';
import type { BodyFormat } from '../../engine/served-api.ts';
import { folderName, isOrdinaryMember, type NameTable, nameTable, typeName, valueName } from '../names.ts';
import type { Direction } from '../schemas/directions.ts';
import { isObject } from '../schemas/read-schema.ts';
import { type LooseSchema, schemaTable, type SchemaTable } from '../schemas/schema-table.ts';

/** A contract with an identifier for each of its parts: the input of all emitters. */
export interface ApiView {
  readonly contract: Contract;
  /** The folder of its files. */
  readonly folder: string;
  /** The prefix or suffix of its identifiers: `Router` for `createRouter`. */
  readonly title: string;
  readonly names: NameTable;
  readonly table: SchemaTable;
  readonly operations: readonly ApiOperation[];
  readonly incoming: readonly ApiIncoming[];
  readonly errorBuckets: PolicyOf<'error-buckets'> | undefined;
}

export interface ApiOperation {
  readonly operation: Operation;
  /** The function that calls it, in the module that declares it. */
  readonly name: string;
  /** The name under which that module exports the function. */
  readonly exported: string;
  /** The member of clients and of handlers; it can be a reserved word. */
  readonly member: string;
  readonly parametersType: string;
  readonly bodyType: string;
  readonly responsesType: string;
  /** The headers of its answers by status; printed if any is declared. */
  readonly headersType: string;
  /** Without the idempotency key, which the runtime sends. */
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  readonly responses: readonly ApiResponse[];
}

/** A request that the server sends. The user's code answers it, so only types are generated for it. */
export interface ApiIncoming {
  readonly incoming: Incoming;
  /** The type of its body. */
  readonly bodyType: string;
  readonly content: ApiContent;
}

export interface ApiParameter {
  readonly parameter: Parameter;
  /** The member of the parameters object with the value. */
  readonly member: string;
  readonly schema: Schema;
}

export interface ApiBody {
  readonly required: boolean;
  readonly description: string | undefined;
  /** The client's default: JSON if the document accepts it, else the first one. */
  readonly content: ApiContent;
  /** The alternatives that a caller can choose. */
  readonly others: readonly ApiContent[];
}

export interface ApiResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string;
  readonly contents: readonly ApiContent[];
  readonly headers: readonly ResponseHeader[];
}

/** The content of one media type, and its representation in code. */
export interface ApiContent {
  readonly mediaType: string;
  readonly bodyFormat: BodyFormat;
  /**
   * A reference into the table, if the schema restricts the value. For content that arrives item by item, the
   * schema of an item.
   */
  readonly schema: Schema | undefined;
  /** What each event of a stream can be; empty if the content is not one, or if the document does not say. */
  readonly events: readonly ApiEvent[];
  /** What each part of a body of parts is; `undefined` if its media type decides. */
  readonly part?: PieceKind['form'] | undefined;
  readonly encoding: readonly MemberEncoding[];
}

/** A kind of events. */
export interface ApiEvent {
  /** `undefined` if events of this kind can have any name. */
  readonly names: readonly string[] | undefined;
  /** A reference into the table, for data that is JSON; `undefined` for data that is text. */
  readonly data: Schema | undefined;
}

/** Whether a body arrives item by item. */
export function isStreamed({ bodyFormat }: Pick<ApiContent, 'bodyFormat'>): boolean {
  return bodyFormat === 'events' || isItemised(bodyFormat);
}

/** Whether a body is a list whose items follow one another. */
export function isItemised(bodyFormat: BodyFormat): boolean {
  return bodyFormat === 'lines' || bodyFormat === 'sequence' || bodyFormat === 'parts';
}

/** Whether the document describes headers of the parts of a multipart body. */
export function hasPartHeaders({ encoding }: Pick<ApiContent, 'encoding'>): boolean {
  return encoding.some(({ headers }) => headers.length > 0);
}

/** `json` of `application/json; charset=utf-8`. */
function subtypeOf(mediaType: string): string {
  return mediaType.split(';')[0]?.split('/')[1] ?? '';
}

/** @param taken identifiers that the modules of every API use and export */
export function apiOf(contract: Contract, taken: readonly string[]): ApiView {
  const title = typeName(contract.name, 'Api');
  const names = nameTable([`create${title}`, `${title}Client`, `${title}Options`], taken);
  const loose: LooseSchema[] = [];
  const place = (
    wish: string | undefined,
    schema: Schema,
    direction?: Direction,
    more: Pick<LooseSchema, 'other' | 'isMultipart'> = {},
  ): (() => Schema) => {
    const index = loose.push({ wish, schema, direction, ...more }) - 1;
    return () => placed[index] ?? true;
  };
  const placeContent = (
    wish: string,
    content: MediaType,
    direction: Direction,
    bodyFormat = bodyFormatOf(content.mediaType, content.schema),
  ): (() => ApiContent) => {
    const { mediaType, encoding } = content;
    const pieces = bodyFormat === 'multipart' ? undefined : piecesOf(content, contract.document);
    if (pieces?.framing === 'events') return placeEvents(wish, content, pieces, direction);
    const schema = pieces === undefined ? schemaOf(bodyFormat, content.schema) : pieces.kinds[0]?.schema;
    const placedSchema =
      schema === undefined
        ? () => undefined
        : place(wish, schema, direction, {
            other: typeName(`${wish} ${subtypeOf(mediaType)}`),
            isMultipart: bodyFormat === 'multipart',
          });
    const part = bodyFormat === 'parts' ? pieces?.kinds[0]?.form : undefined;
    return () => ({ mediaType, bodyFormat, schema: placedSchema(), events: [], part, encoding });
  };
  const placeEvents = (
    wish: string,
    { mediaType, encoding }: MediaType,
    { kinds }: Pieces,
    direction: Direction,
  ): (() => ApiContent) => {
    const drafts = kinds.map(({ form, names, schema = true }) => {
      const own = kinds.length === 1 ? wish : typeName(`${wish} ${names?.[0] ?? 'event'}`);
      const data = form === 'text' ? () => undefined : place(own, schema, direction);
      return () => ({ names, data: data() });
    });
    const bodyFormat = 'events';
    return () => ({
      mediaType,
      bodyFormat,
      schema: undefined,
      events: drafts.map((each) => each()),
      encoding,
    });
  };

  /** Media types with the same schema share its type. */
  const placeContents = (
    wish: string,
    contents: readonly MediaType[],
    direction: Direction,
  ): readonly (() => ApiContent)[] => {
    const known = new Map<string, () => ApiContent>();
    return contents.map((content) => {
      const { mediaType, schema, encoding } = content;
      const format =
        direction === 'response'
          ? answerFormatOf(content, contract.document)
          : bodyFormatOf(mediaType, schema);
      const key = `${format} ${JSON.stringify([schema, encoding])}`;
      const twin = known.get(key);
      const placedContent = twin ?? placeContent(wish, content, direction, format);
      known.set(key, placedContent);
      return twin === undefined ? placedContent : () => ({ ...twin(), mediaType });
    });
  };

  // The table claims names for components before these: a document's own names take precedence.
  const drafts = contract.operations.map((operation) => {
    const type = typeName(operation.id, 'Call');
    const sent = orderedContents(operation.requestBody?.content ?? []);
    return {
      operation,
      type,
      parameters: sentParameters(operation, sent).map((parameter) => ({
        ...parameter,
        place: place(undefined, parameter.parameter.schema),
      })),
      bodies: placeContents(`${type}RequestBody`, sent, 'request'),
      responses: operation.responses.map(({ status, content }) =>
        placeContents(`${type}Response${statusWord(status)}`, answeredContents(content), 'response'),
      ),
      headers: operation.responses.map(({ headers }) =>
        headers.map((header) => ({ header, place: place(undefined, header.schema) })),
      ),
    };
  });
  const incomingDrafts = contract.incoming.flatMap((incoming) => {
    const [sent] = orderedContents(incoming.operation.requestBody?.content ?? []);
    const wish = typeName(`${incoming.name} ${incoming.kind}`);
    return sent === undefined
      ? []
      : [{ incoming, wish, content: placeContent(`${wish}Body`, sent, 'response') }];
  });
  const { table, placed } = schemaTable(contract, loose, names);

  const functions = drafts.map(({ operation, type }) => {
    const wish = valueName(operation.id);
    return { wish, name: names.claimFunction(wish, valueName(`call ${type}`)) };
  });
  const members = memberNames(names, functions);
  const operations = drafts.map(
    ({ operation, type, parameters, bodies, responses, headers }, index): ApiOperation => ({
      operation,
      name: functions[index]?.name ?? '',
      exported: names.publicName(functions[index]?.name ?? ''),
      member: members[index] ?? '',
      parametersType: names.claimType(`${type}Parameters`),
      bodyType: names.claimType(`${type}Body`),
      responsesType: names.claimType(`${type}Responses`),
      headersType: names.claimType(`${type}Headers`),
      parameters: parameters.map(({ parameter, member, place: schema }) => ({
        parameter,
        member,
        schema: schema(),
      })),
      body: bodyOf(
        operation,
        bodies.map((body) => body()),
      ),
      responses: operation.responses.map(({ status, description }, index) => ({
        status,
        description,
        headers: (headers[index] ?? []).map(({ header, place: schema }) => ({ ...header, schema: schema() })),
        contents: (responses[index] ?? []).map((content) => content()),
      })),
    }),
  );
  return {
    contract,
    folder: folderName(contract.name),
    title,
    names,
    table,
    operations,
    incoming: incomingDrafts.map(({ incoming, wish, content }) => ({
      incoming,
      bodyType: names.claimType(wish),
      content: content(),
    })),
    errorBuckets: findPolicy(contract, 'error-buckets'),
  };
}

/** The media type that a body is sent with; `undefined` for a range, where the type of a Blob decides. */
export function sentType({
  mediaType,
  bodyFormat,
}: Pick<ApiContent, 'mediaType' | 'bodyFormat'>): string | undefined {
  if (!mediaType.includes('*')) return mediaType;
  return bodyFormat === 'json' ? 'application/json' : undefined;
}

/**
 * The bodies that a caller can choose instead of the first one. A range of JSON types, such as `application/*+json`, is no
 * alternative to JSON.
 */
export function alternatives({ content, others }: ApiBody): readonly ApiContent[] {
  const types = [content, ...others].map((each) => sentType(each) ?? each.mediaType);
  return others.filter((_, index) => types.indexOf(types[index + 1] ?? '') === index + 1);
}

// --- internal ---

/** Members keep names that functions cannot have, such as `delete`, if no other operation has them. */
function memberNames(
  names: NameTable,
  functions: readonly { readonly wish: string; readonly name: string }[],
): readonly string[] {
  const taken = new Set(functions.map(({ name }) => names.publicName(name)));
  return functions.map(({ wish, name }) => {
    const exported = names.publicName(name);
    if (taken.has(wish) || !isOrdinaryMember(wish)) return exported;
    taken.add(wish);
    return wish;
  });
}

/**
 * What a client asks for. Where JSON and a text such as XML have the same schema, only the JSON is a value of its type.
 */
function answeredContents(contents: readonly MediaType[]): readonly MediaType[] {
  const carried = contents.map((content) => ({
    content,
    bodyFormat: bodyFormatOf(content.mediaType, content.schema),
    schema: JSON.stringify(content.schema),
  }));
  const asJson = new Set(
    carried.filter(({ bodyFormat }) => bodyFormat === 'json').map(({ schema }) => schema),
  );
  return carried.flatMap(({ content, bodyFormat, schema }) => {
    const isValue = isObject(content.schema) && content.schema['type'] !== 'string';
    return bodyFormat === 'text' && isValue && asJson.has(schema) ? [] : [content];
  });
}

function bodyOf(
  { requestBody }: Operation,
  [content, ...others]: readonly ApiContent[],
): ApiBody | undefined {
  if (requestBody === undefined || content === undefined) return undefined;
  return { required: requestBody.required, description: requestBody.description, content, others };
}

/** The described part of a body: nothing for text and bytes. */
function schemaOf(bodyFormat: BodyFormat, schema: Schema | undefined): Schema | undefined {
  return bodyFormat === 'text' || bodyFormat === 'binary' ? undefined : schema;
}

function statusWord(status: string): string {
  return /^[1-5]XX$/i.test(status)
    ? status.toUpperCase()
    : status === 'default'
      ? 'Default'
      : status.replace(/\W/g, '');
}

/**
 * One flat object of parameters: path and query parameters under their own names, headers and cookies in
 * camel case. If two positions use the same name, that of the later one includes its position.
 */
function sentParameters(operation: Operation, bodies: readonly MediaType[]): Omit<ApiParameter, 'schema'>[] {
  const taken = new Set([
    'body',
    ...(bodies.length > 1 ? ['contentType'] : []),
    ...(bodies.some(hasPartHeaders) ? ['partHeaders'] : []),
  ]);
  return operation.parameters
    .filter((parameter) => !isKey(parameter, operation))
    .map((parameter) => {
      const isPlain = parameter.in === 'path' || parameter.in === 'query';
      const wish = isPlain ? parameter.name : valueName(parameter.name, parameter.in);
      let member = wish;
      for (let count = 1; taken.has(member); count += 1) {
        member = `${wish}_${parameter.in}${count === 1 ? '' : String(count)}`;
      }
      taken.add(member);
      return { parameter, member };
    });
}

function isKey(parameter: Parameter, operation: Operation): boolean {
  const header = policyFor(operation, 'idempotency')?.requestHeader;
  return parameter.in === 'header' && parameter.name.toLowerCase() === header?.toLowerCase();
}
