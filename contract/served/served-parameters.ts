import type { ServedParameter, WireType } from '../../engine/served-api.ts';
import { essenceOf, isJson } from '../judge/body-format.ts';
import { pagesPolicyOf } from '../sheet/find-policy.ts';
import type { Contract, Document, Operation, Parameter } from '../model.ts';
import { localPointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { bringsDownLimits } from '../sheet/policy-rules.ts';
import { schemaNames } from './served-schemas.ts';
import { isOfTransport } from './transport-headers.ts';
import { allowsAnyText, isText, wireType } from '../schemas/wire-type.ts';
import { withoutGaps } from '../sheet/without-gaps.ts';

/** A parameter as the engine parses and validates it. */
export function servedParameter(
  { document, sheet }: Contract,
  operation: Operation,
  parameter: Parameter,
  member: string,
): ServedParameter {
  const { name, in: place, required, mediaType, schema, explode } = parameter;
  const reads = wireType(schema, document, styleOf(parameter) === 'deepObject' ? DEEP : undefined);
  const isClamped =
    pagesPolicyOf(operation)?.limitParameter === name && bringsDownLimits({ sheet }, operation);
  return withoutGaps<ServedParameter>({
    name,
    in: place,
    member: member === name ? undefined : member,
    required: required ? true : undefined,
    style: mediaType === undefined ? styleOf(parameter) : contentStyle(mediaType),
    explode: mediaType === undefined && explode,
    reads: isText(reads) ? undefined : reads,
    others: takesAnyNames(parameter, reads) ? otherNames(document, operation, parameter) : undefined,
    among: isBesideOther(operation, parameter) ? choicesOf(schema, document) : undefined,
    schema:
      isClamped || isOfTransport(parameter) || allowsAnyText(schema)
        ? undefined
        : schemaNames.parameter(operation, parameter),
  });
}

/** The style of a parameter; the default of its position if OpenAPI does not allow the style there. */
export function styleOf({ style, in: place }: Parameter): string {
  const known = STYLES[place];
  return known.includes(style) ? style : (known[0] ?? 'simple');
}

/** How a value is written that the document describes by a media type; other types than these two are text. */
export function contentStyle(mediaType: string): 'json' | 'urlencoded' | 'simple' {
  if (isJson(mediaType)) return 'json';
  return essenceOf(mediaType) === 'application/x-www-form-urlencoded' ? 'urlencoded' : 'simple';
}

// --- internal ---

/** Whether there is no text between the value and that of another parameter, such as in `/{y}{scale}`. */
function isBesideOther({ path }: Operation, { in: place, name }: Parameter): boolean {
  return place === 'path' && (path.includes(`}{${name}}`) || path.includes(`{${name}}{`));
}

type Choices = readonly string[] | undefined;

/**
 * The only values that a schema allows, as texts; `undefined` if there may be others.
 *
 * @param known the schemas that were read: a schema can occur in many others, and in itself
 */
function choicesOf(schema: unknown, document: Document, known = new Map<object, Choices>()): Choices {
  if (!isRecord(schema)) return undefined;
  if (!known.has(schema)) {
    known.set(schema, undefined);
    known.set(
      schema,
      choicesIn(schema, (part) => choicesOf(part, document, known), document),
    );
  }
  return known.get(schema);
}

function choicesIn(
  { $ref, const: only, enum: values, oneOf, anyOf, allOf }: Readonly<Record<string, unknown>>,
  of: (part: unknown) => Choices,
  { root }: Document,
): Choices {
  const pointer = typeof $ref === 'string' ? localPointer($ref) : undefined;
  if (pointer !== undefined) return of(valueAt(root, pointer));
  if (only !== undefined) return [String(only)];
  if (Array.isArray(values)) return values.map(String);
  const alternatives = oneOf ?? anyOf;
  if (Array.isArray(alternatives)) {
    const each = alternatives.map(of);
    return each.every((texts) => texts !== undefined) ? [...new Set(each.flat())] : undefined;
  }
  return Array.isArray(allOf) ? allOf.map(of).find((texts) => texts !== undefined) : undefined;
}

const STYLES: Readonly<Record<Parameter['in'], readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/** Objects inside objects: `name[k][l]=v`. */
const DEEP = 8;

/** Whether an object is serialised as pairs with names that the document does not list. */
function takesAnyNames({ in: place, style, explode, mediaType }: Parameter, reads: WireType): boolean {
  const isSpread =
    explode && style !== 'deepObject' && mediaType === undefined && (place === 'query' || place === 'cookie');
  return (
    isSpread && reads.kinds.includes('object') && (reads.members === undefined || reads.rest !== undefined)
  );
}

/** The names of pairs that belong to other parameters, to credentials and to the path. */
function otherNames(
  document: Document,
  { parameters, security, path }: Operation,
  { in: place, name }: Parameter,
): readonly string[] | undefined {
  const query = place === 'query' ? path.split('#', 1)[0]?.split('?')[1] : undefined;
  const names = [
    ...parameters
      .filter((other) => other.in === place && other.name !== name)
      .flatMap((other) => pairNames(document, other)),
    ...security
      .flatMap(({ schemes }) => schemes)
      .flatMap((scheme) => (scheme.in === place ? (scheme.parameterName ?? []) : [])),
    ...(query ?? '').split('&').flatMap((pair) => pair.split('=', 1)),
  ].filter((each) => each !== '');
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** The names under which a parameter is sent; `filter[` means all names with this prefix. */
function pairNames(document: Document, parameter: Parameter): readonly string[] {
  const { name, style, explode, mediaType, schema } = parameter;
  if (mediaType !== undefined) return [name];
  if (style === 'deepObject') return [name, `${name}[`];
  const { kinds, members = {} } = wireType(schema, document);
  return explode && kinds.includes('object') ? Object.keys(members) : [name];
}
