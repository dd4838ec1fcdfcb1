import type { Schema } from '../../contract/index.ts';
import { jsString } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { type ApiContent, type ApiResponse, isStreamed } from './api.ts';
import type { Use } from './runtime-use.ts';

/** The responses that are results: 2xx and 304; without a 2xx `default`, and without that redirects. */
export function resultsOf(responses: readonly ApiResponse[]): ApiResponse[] {
  const results = responses.filter(({ status }) => /^2/.test(status));
  const kept = responses.filter(({ status }) => status === '304');
  if (results.length > 0) return [...results, ...kept];
  const others = responses.filter(({ status }) => status === 'default');
  return others.length > 0 ? [...others, ...kept] : responses.filter(({ status }) => /^3\d\d$/.test(status));
}

/** The `Accept` header of an operation; `undefined` if it is JSON alone. */
export function accepted(responses: readonly ApiResponse[]): string | undefined {
  // Of equally acceptable types, many servers choose the first, and only JSON has a type.
  const contents = resultsOf(responses).flatMap((response) => response.contents);
  const inOrder = [...contents].sort(
    (left, right) => Number(right.bodyFormat === 'json') - Number(left.bodyFormat === 'json'),
  );
  const types = [...new Set(inOrder.map(({ mediaType }) => mediaType))];
  return types.length === 0 || (types.length === 1 && types[0] === 'application/json')
    ? undefined
    : jsString(types.join(', '));
}

/** The function that reads the bodies of results; `undefined` if they are JSON. */
export function readerOf(
  responses: readonly ApiResponse[],
  table: SchemaTable,
  use: Use,
): string | undefined {
  const read = reader(responses, table, use);
  const empty = withoutBody(responses);
  if (empty === undefined) return read;
  return `${use('answers', 'readExcept')}(${empty}${read === undefined ? '' : `, ${read}`})`;
}

/** The statuses of responses as a list literal; `undefined` without any. */
export function statuses(responses: readonly ApiResponse[]): string | undefined {
  return responses.length === 0 ? undefined : `[${responses.map(({ status }) => status).join(', ')}]`;
}

// --- internal ---

function reader(responses: readonly ApiResponse[], table: SchemaTable, use: Use): string | undefined {
  const withBody = resultsOf(responses).filter(({ contents }) => contents.length > 0);
  const contents = withBody.flatMap((response) => response.contents);
  const bodyFormats = new Set(contents.map(({ bodyFormat }) => bodyFormat));
  const [only, ...more] = bodyFormats;
  if (only === undefined) return use('answers', 'readNothing');
  const stream = contents.find(({ bodyFormat }) => bodyFormat === 'events');
  const events = (): string | undefined => stream && eventsReaderOf(stream, use);
  const inParts = contents.find(({ bodyFormat }) => bodyFormat === 'parts');
  const parts = (): string | undefined => inParts && partsReaderOf(inParts, use);
  if (more.length > 0) {
    if (!contents.some(isStreamed)) return use('answers', 'readByMediaType');
    const read = use('streams', 'streamedReader');
    const readParts = parts();
    return `${read}(${[events() ?? (readParts && 'undefined'), readParts].filter(Boolean).join(', ')})`;
  }
  switch (only) {
    case 'json':
      // Under a range of media types, a server can send a string as text.
      return contents.some(({ mediaType, schema }) => mediaType.includes('*') && isString(schema, table))
        ? use('answers', 'readByMediaType')
        : undefined;
    case 'events':
      return stream?.events.length === 0 ? use('answers', 'readStream') : events();
    case 'lines':
      return use('streams', 'linesReader');
    case 'sequence':
      return use('streams', 'sequenceReader');
    case 'parts':
      return parts();
    case 'text':
    case 'form':
      return use('answers', 'readText');
    case 'binary':
    case 'multipart':
      return use('answers', 'readBlob');
  }
}

function partsReaderOf({ part }: ApiContent, use: Use): string {
  return `${use('parts', 'partsReader')}(${part === undefined ? '' : jsString(part)})`;
}

function eventsReaderOf({ events }: ApiContent, use: Use): string {
  const asJson = events.filter(({ data }) => data !== undefined);
  if (asJson.length === 0) return use('streams', 'textEventsReader');
  if (asJson.some(({ names }) => names === undefined)) return use('streams', 'eventsReader');
  const names = new Set(asJson.flatMap((event) => event.names ?? []));
  return `${use('streams', 'namedEventsReader')}([${[...names].map(jsString).join(', ')}])`;
}

/**
 * The statuses of results without a body, if others have one; for some the protocol itself forbids a body.
 */
function withoutBody(responses: readonly ApiResponse[]): string | undefined {
  const results = resultsOf(responses);
  if (results.every(({ contents }) => contents.length === 0)) return undefined;
  return statuses(
    results.filter(
      ({ status, contents }) =>
        contents.length === 0 && /^\d{3}$/.test(status) && !['204', '205', '304'].includes(status),
    ),
  );
}

function isString(schema: Schema | undefined, table: SchemaTable): boolean {
  if (!isObject(schema)) return false;
  const { $ref, type } = schema;
  return typeof $ref === 'string' ? isString(table.follow($ref)?.schema, table) : type === 'string';
}
