import { problem } from '../diagnostics/diagnostic-codes.ts';
import { NEWER_OPERATIONS, NEWER_STYLE } from './item-operations.ts';
import type { Diagnostic } from '../model.ts';
import { type ObjectKind, type PlacedObject, walkObjects } from './object-kinds.ts';
import type { SourceFile } from '../text/parse.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { framingOf } from '../sequential/framing.ts';
import { settleItems } from '../sequential/item-schema.ts';
import type { Repaired } from '../repairs/repair-list.ts';

/**
 * Converts an OpenAPI 3.2 document to 3.1, in place. An addition of 3.2 is rewritten if 3.1 can express it,
 * removed if it is only descriptive, and reported with its place if it changes what is sent.
 *
 * @param repaired receives the converted members; without it, such a member is an error
 */
export function readAs31(
  { value, locate }: SourceFile,
  report: (diagnostic: Diagnostic) => void,
  repaired: Repaired | undefined,
): void {
  value['openapi'] = '3.1.1';
  const seen = new Set<object>();
  const isNew = ({ value: each }: PlacedObject): boolean => !seen.has(each) && seen.add(each).size > 0;
  const newer = (pointer: string, what: string, read: string): void => {
    const wrong = `${what} is new in OpenAPI 3.2`;
    if (repaired !== undefined)
      repaired({ kind: what, pointer, wrong, read, location: locate(pointer, 'name') });
    else
      report(
        problem('openapi-version', wrong, {
          ...{ location: locate(pointer, 'name'), pointer },
          help: 'leave it out, or generate without --strict',
        }),
      );
  };
  const gone = leaveOutShared(value, newer);
  for (const object of walkObjects({ kind: 'document', value, pointer: '' }, isNew)) {
    leaveOutReferences(object, gone);
    settle(object, newer);
    for (const member of DESCRIPTIVE[object.kind] ?? []) Reflect.deleteProperty(object.value, member);
    for (const member of Object.keys(object.value).filter((name) => LEFT_OUT[object.kind]?.includes(name))) {
      newer(joinPointer(object.pointer, member), member, 'left out');
      Reflect.deleteProperty(object.value, member);
    }
  }
  if (isRecord(value['tags'])) return;
  for (const tag of Array.isArray(value['tags']) ? (value['tags'] as unknown[]) : [])
    if (isRecord(tag))
      for (const member of ['summary', 'parent', 'kind']) Reflect.deleteProperty(tag, member);
}

// --- internal ---

/** Descriptive members. */
const DESCRIPTIVE: Partial<Record<ObjectKind, readonly string[]>> = {
  document: ['$self'],
  server: ['name'],
  'security scheme': ['deprecated', 'oauth2MetadataUrl'],
};

/** Members that change requests or answers. */
const LEFT_OUT: Partial<Record<ObjectKind, readonly string[]>> = {
  components: ['mediaTypes'],
  'media type': ['prefixEncoding', 'itemEncoding'],
  encoding: ['prefixEncoding', 'itemEncoding', 'encoding'],
};

type Newer = (pointer: string, what: string, read: string) => void;

function settle({ kind, value, pointer }: PlacedObject, newer: Newer): void {
  switch (kind) {
    case 'response': {
      const { summary } = value;
      Reflect.deleteProperty(value, 'summary');
      if (value['$ref'] === undefined) value['description'] ??= typeof summary === 'string' ? summary : '';
      return;
    }
    case 'media type':
      if (settleItems(value, pointer) === 'left out')
        newer(joinPointer(pointer, 'itemSchema'), 'itemSchema', 'left out');
      return;
    case 'parameter':
      settleQueryString(value);
      settleStyle(value);
      return;
    case 'example':
      if (value['dataValue'] !== undefined) value['value'] ??= value['dataValue'];
      // The text of a body in pieces is an example, too; that of a single value is not needed beside the value.
      else if (isOfPieces(pointer)) value['value'] ??= value['serializedValue'];
      Reflect.deleteProperty(value, 'dataValue');
      Reflect.deleteProperty(value, 'serializedValue');
      return;
    case 'security scheme':
      if (!isRecord(value['flows']) || value['flows']['deviceAuthorization'] === undefined) return;
      newer(joinPointer(pointer, 'flows', 'deviceAuthorization'), 'deviceAuthorization', 'left out');
      Reflect.deleteProperty(value['flows'], 'deviceAuthorization');
      return;
    case 'path item':
    case 'operation': {
      if (kind === 'path item') settleMethods({ value, pointer }, newer);
      const { parameters } = value;
      if (!Array.isArray(parameters)) return;
      value['parameters'] = parameters.filter((parameter: unknown, index) => {
        if (isRecord(parameter)) settleQueryString(parameter);
        if (isRecord(parameter)) settleStyle(parameter);
        if (!isRecord(parameter) || parameter['in'] !== 'querystring') return true;
        newer(joinPointer(pointer, 'parameters', String(index), 'in'), 'in: querystring', 'left out');
        return false;
      });
      return;
    }
    case 'schema':
      if (!isRecord(value['discriminator']) || value['discriminator']['defaultMapping'] === undefined) return;
      newer(joinPointer(pointer, 'discriminator', 'defaultMapping'), 'defaultMapping', 'left out');
      Reflect.deleteProperty(value['discriminator'], 'defaultMapping');
      return;
    default:
  }
}

/** Whether an example belongs to a media type whose bodies arrive in pieces. */
function isOfPieces(pointer: string): boolean {
  const mediaType = /\/content\/([^/]+)\/examples\/[^/]+$/.exec(pointer)?.[1] ?? '';
  return framingOf(mediaType.replaceAll('~1', '/')) !== undefined;
}

/**
 * Leaves out the parameters of components that are a whole query.
 *
 * @returns the references to them
 */
function leaveOutShared({ components }: Record<string, unknown>, newer: Newer): ReadonlySet<unknown> {
  const parameters: unknown = isRecord(components) ? components['parameters'] : undefined;
  const gone = new Set<unknown>();
  for (const [name, parameter] of isRecord(parameters) ? Object.entries(parameters) : []) {
    if (!isRecord(parameter)) continue;
    settleQueryString(parameter);
    if (parameter['in'] !== 'querystring') continue;
    const pointer = joinPointer('', 'components', 'parameters', name);
    newer(joinPointer(pointer, 'in'), 'in: querystring', 'left out');
    Reflect.deleteProperty(parameters as object, name);
    gone.add(`#${pointer}`);
  }
  return gone;
}

function leaveOutReferences({ value }: PlacedObject, gone: ReadonlySet<unknown>): void {
  const { parameters } = value;
  if (gone.size === 0 || !Array.isArray(parameters)) return;
  value['parameters'] = parameters.filter((one: unknown) => !isRecord(one) || !gone.has(one['$ref']));
}

/** A whole query that is a form consists of the pairs of an object. Other media types have no such description. */
function settleQueryString(parameter: Record<string, unknown>): void {
  const { in: place, content } = parameter;
  const form: unknown = isRecord(content) ? content['application/x-www-form-urlencoded'] : undefined;
  if (place !== 'querystring' || !isRecord(form)) return;
  delete parameter['content'];
  Object.assign(parameter, { in: 'query', style: 'form', explode: true, schema: form['schema'] ?? {} });
}

/** 3.1 has no such style. The reader finds it in this extension. */
function settleStyle(parameter: Record<string, unknown>): void {
  if (parameter['in'] !== 'cookie' || parameter['style'] !== 'cookie') return;
  delete parameter['style'];
  parameter[NEWER_STYLE] = 'cookie';
}

/** 3.1 has no member for other methods. `operationsIn` finds them in this extension. */
function settleMethods({ value, pointer }: Pick<PlacedObject, 'value' | 'pointer'>, newer: Newer): void {
  const { query, additionalOperations } = value;
  const operations: Record<string, unknown> = isRecord(query) ? { query } : {};
  for (const [method, operation] of isRecord(additionalOperations)
    ? Object.entries(additionalOperations)
    : []) {
    if (/^[A-Z][A-Z-]*$/.test(method)) operations[method] = operation;
    else newer(joinPointer(pointer, 'additionalOperations', method), `the method ${method}`, 'left out');
  }
  delete value['query'];
  delete value['additionalOperations'];
  if (Object.keys(operations).length > 0) value[NEWER_OPERATIONS] = operations;
}
