import { findPolicy, type Json, policyFor, type ResponseHeader } from '../../contract/index.ts';
import { matchesStatus } from '../../contract/policies/status-pattern.ts';
import { prose } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { literalShape, namedShape, unionShape } from '../schemas/type-shape.ts';
import type { ApiView, ApiOperation } from './api.ts';

/** The known headers of the answers with one status. */
export interface StatusHeaders {
  readonly status: string;
  readonly headers: readonly KnownHeader[];
}

export interface KnownHeader {
  readonly name: string;
  /** The type of the header; null if an answer may lack it. */
  readonly shape: Json;
  readonly comment: readonly string[];
}

/**
 * The headers of an operation's answers by status: those that the document declares, and undeclared ones from
 * the behaviour sheet. An answer may always lack the latter.
 */
export function headersOf(api: ApiView, operation: ApiOperation): readonly StatusHeaders[] {
  const byStatus = new Map<string, Map<string, KnownHeader>>();
  const add = (status: string, header: KnownHeader): void => {
    const known = byStatus.get(status) ?? new Map<string, KnownHeader>();
    byStatus.set(status, known);
    const key = header.name.toLowerCase();
    if (!known.has(key)) known.set(key, header);
  };
  for (const { status, headers } of operation.responses) {
    for (const header of headers) add(status, declared(header, api.table));
  }
  for (const [status, header] of undeclared(api, operation)) add(status, header);
  return [...byStatus]
    .map(([status, headers]) => ({ status, headers: [...headers.values()] }))
    .sort((left, right) => (left.status < right.status ? -1 : 1));
}

/** A required header. */
export function knownHeader(
  { name, description, schema }: Pick<ResponseHeader, 'name' | 'description' | 'schema'>,
  table: SchemaTable,
): KnownHeader {
  return { name, shape: textShape(schema, table), comment: prose(description) };
}

// --- internal ---

function declared(header: ResponseHeader, table: SchemaTable): KnownHeader {
  const known = knownHeader(header, table);
  return header.required ? known : { ...known, shape: orNull(known.shape) };
}

function* undeclared(api: ApiView, operation: ApiOperation): Generator<[string, KnownHeader]> {
  const { operation: source, responses } = operation;
  const key = policyFor(source, 'idempotency');
  if (key?.mode !== 'replay') return;
  const { replayHeader, release, inFlight, collecting } = key;
  const maybe = (name: string, comment: string): KnownHeader => ({
    name,
    shape: orNull({ type: 'string' }),
    comment: prose(comment),
  });
  const conflict = String(inFlight.status);
  const recorded = responses.filter(({ status }) => !matchesStatus(release, Number(status)));
  for (const { status } of recorded) {
    if (replayHeader === undefined) break;
    yield [status, maybe(replayHeader.name, 'Not declared. There where this is a recorded answer.')];
  }
  if (inFlight.retryAfter) {
    yield [conflict, maybe('Retry-After', 'Not declared. There where the call with this key still runs.')];
  }
  if (collecting !== undefined)
    yield [
      String(collecting.status),
      maybe(
        collecting.marker,
        'Not declared. There where a further call with the same key collects the result.',
      ),
    ];
  const bucket = api.errorBuckets?.header;
  if (bucket !== undefined) yield [conflict, maybe(bucket, 'The bucket of the error.')];
  const { requestId } = findPolicy(api.contract, 'headers') ?? {};
  if (requestId !== undefined) yield [conflict, maybe(requestId, 'Names this answer when you ask about it.')];
}

/** The value of a header is text, regardless of its schema; a closed list of texts is kept. */
function textShape(schema: ResponseHeader['schema'], table: SchemaTable): Json {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  const said = typeof reference === 'string' ? table.follow(reference)?.schema : schema;
  const values = said !== undefined && isObject(said) ? said['enum'] : undefined;
  const isClosed =
    Array.isArray(values) && values.length <= 50 && values.every((value) => typeof value === 'string');
  return isClosed && values.length > 0 ? literalShape(values) : { type: 'string' };
}

function orNull(shape: Json): Json {
  return unionShape([shape, namedShape('null')]);
}
