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
import { carriageOf, orderedContents } from '../../contract/carriage.ts';
import type { Carriage } from '../../engine/served-api.ts';
import { folderName, type NameTable, nameTable, typeName, valueName } from '../names.ts';
import type { Direction } from '../schemas/directions.ts';
import { isObject } from '../schemas/read-schema.ts';
import { type LooseSchema, schemaTable, type SchemaTable } from '../schemas/schema-table.ts';

/** A contract with an identifier for everything in it: what all emitters start from. */
export interface ApiView {
  readonly contract: Contract;
  /** The folder of its files. */
  readonly folder: string;
  /** What its identifiers carry in front or behind: `Router` for `createRouter`. */
  readonly title: string;
  readonly names: NameTable;
  readonly table: SchemaTable;
  readonly operations: readonly ApiOperation[];
  readonly incoming: readonly ApiIncoming[];
  readonly errorBuckets: PolicyOf<'error-buckets'> | undefined;
}

export interface ApiOperation {
  readonly operation: Operation;
  /** The function that calls it. */
  readonly name: string;
  readonly parametersType: string;
  readonly bodyType: string;
  readonly responsesType: string;
  /** The headers of its answers by status; printed where any is known. */
  readonly headersType: string;
  /** Without the idempotency key, which the runtime sends by itself. */
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  readonly responses: readonly ApiResponse[];
}

/** A request that the server makes: code of a user's answers it, so all that there is of it are types. */
export interface ApiIncoming {
  readonly incoming: Incoming;
  /** The type of its body. */
  readonly bodyType: string;
  readonly content: ApiContent;
}

export interface ApiParameter {
  readonly parameter: Parameter;
  /** The member of the parameters object that carries it. */
  readonly member: string;
  readonly schema: Schema;
}

export interface ApiBody {
  readonly required: boolean;
  readonly description: string | undefined;
  /** The one that the client sends unless it is told otherwise: JSON where the document takes it, else the first. */
  readonly content: ApiContent;
  /** Those that a caller can choose in its place. */
  readonly others: readonly ApiContent[];
}

export interface ApiResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string;
  readonly contents: readonly ApiContent[];
  readonly headers: readonly ResponseHeader[];
}

/** What travels under one media type, and how it is carried in the code. */
export interface ApiContent {
  readonly mediaType: string;
  readonly carriage: Carriage;
  /**
   * A reference into the table, where the value has a schema that says something. Of what arrives item by item it is the
   * schema of an item.
   */
  readonly schema: Schema | undefined;
  readonly encoding: readonly MemberEncoding[];
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
    more: Pick<LooseSchema, 'other'> = {},
  ): (() => Schema) => {
    const index = loose.push({ wish, schema, direction, ...more }) - 1;
    return () => placed[index] ?? true;
  };
  const placeContent = (wish: string, content: MediaType, direction: Direction): (() => ApiContent) => {
    const { mediaType, encoding } = content;
    const carriage = carriageOf(mediaType, content.schema);
    const schema = schemaOf(carriage, content.schema);
    const placedSchema =
      schema === undefined
        ? () => undefined
        : place(wish, schema, direction, { other: typeName(`${wish} ${subtypeOf(mediaType)}`) });
    return () => ({ mediaType, carriage, schema: placedSchema(), encoding });
  };

  // Components are claimed by the table before these wishes: a document's own names win over ours.
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
      bodies: sent.map((content) => placeContent(`${type}RequestBody`, content, 'request')),
      responses: operation.responses.map((response) =>
        response.content.map((content) =>
          placeContent(`${type}Response${statusWord(response.status)}`, content, 'response'),
        ),
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

  const operations = drafts.map(
    ({ operation, type, parameters, bodies, responses, headers }): ApiOperation => ({
      operation,
      name: names.claim(valueName(operation.id), valueName(`call ${type}`)),
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

// --- internal ---

function bodyOf(
  { requestBody }: Operation,
  [content, ...others]: readonly ApiContent[],
): ApiBody | undefined {
  if (requestBody === undefined || content === undefined) return undefined;
  return { required: requestBody.required, description: requestBody.description, content, others };
}

/** What a schema describes of a body: nothing of text and bytes, and the items of what arrives item by item. */
function schemaOf(carriage: Carriage, schema: Schema | undefined): Schema | undefined {
  if (carriage === 'text' || carriage === 'binary' || !isObject(schema)) {
    return carriage === 'text' || carriage === 'binary' || carriage === 'events' ? undefined : schema;
  }
  if (carriage === 'events') return schema['type'] === 'string' ? undefined : schema;
  const isList = (carriage === 'lines' || carriage === 'sequence') && schema['type'] === 'array';
  return isList ? ((schema['items'] as Schema | undefined) ?? true) : schema;
}

function statusWord(status: string): string {
  return /^[1-5]XX$/i.test(status)
    ? status.toUpperCase()
    : status === 'default'
      ? 'Default'
      : status.replace(/\W/g, '');
}

/**
 * One flat object of parameters: path and query parameters under their own names, headers and cookies in camel case.
 * Where two places use the same name, the later one is told apart by its place.
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
