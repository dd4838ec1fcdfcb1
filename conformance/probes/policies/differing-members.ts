import { canonical } from '../../../contract/canonical-json.ts';
import { contentFor } from '../../../contract/judge/bodies.ts';
import type { Json, Operation, Schema } from '../../../contract/model.ts';
import { isRecord, lifecyclesOf } from '../../../contract/index.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf, propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { isObject } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { responseFor } from '../own-api.ts';

/** The schema of a thing in an answer; `undefined` if the document does not describe it. */
export function shownSchema(
  api: OwnApi,
  operation: Operation,
  seen: Exchange,
  item: string | undefined,
): Schema | undefined {
  const { content = [] } = responseFor(operation, seen.status) ?? {};
  const schema = contentFor(content, seen.header('content-type'))?.schema;
  return schema === undefined || item === undefined ? schema : propertyAt(schema, item, api.root)[0];
}

/**
 * The members of a body that a thing does not show as they were sent. Only members that the document declares
 * for both are compared. A server may write times and addresses in another form, and omit empty values.
 */
export function differingMembers(
  api: OwnApi,
  schema: Schema | undefined,
  sent: Json | undefined,
  shown: unknown,
): readonly string[] {
  if (schema === undefined || !isRecord(sent) || !isObject(shown)) return [];
  const states = new Set(lifecyclesOf(api.contract).map(({ property }) => property));
  const declared = new Map(propertiesOf(schema, api.root));
  return Object.entries(sent as Record<string, Json>).flatMap(([name, value]) => {
    const described = followed(api.root, declared.get(name));
    if (!isRecord(described) || described['readOnly'] === true || described['writeOnly'] === true) return [];
    if (states.has(name)) return [];
    return isSame(value, Object.hasOwn(shown, name) ? shown[name] : undefined, described) ? [] : [name];
  });
}

/** Whether two values are equal as JSON; none is null. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return canonical((one ?? null) as Json) === canonical((other ?? null) as Json);
}

/** The optional members that a thing may lack. */
export function optionalMembers(api: OwnApi, schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const required = new Set(
    [schema, ...partsWith(api, schema)].flatMap((part) =>
      isRecord(part) && Array.isArray(part['required']) ? (part['required'] as string[]) : [],
    ),
  );
  return propertiesOf(schema, api.root).flatMap(([name, property]) => {
    const described = followed(api.root, property);
    const isOwn =
      isRecord(described) && described['readOnly'] !== true && !Object.hasOwn(described, 'default');
    return required.has(name) || !isOwn ? [] : [name];
  });
}

/** The members that a thing may show as null, without those with a default. */
export function nullableMembers(api: OwnApi, schema: Schema | undefined): readonly string[] {
  return propertiesOf(schema, api.root).flatMap(([name, property]) => {
    const described = followed(api.root, property);
    const isOwn =
      isRecord(described) && described['readOnly'] !== true && !Object.hasOwn(described, 'default');
    return isOwn && [described['type']].flat().includes('null') ? [name] : [];
  });
}

// --- internal ---

function partsWith(api: OwnApi, schema: Schema): readonly unknown[] {
  const whole = followed(api.root, schema);
  const all = isRecord(whole) && Array.isArray(whole['allOf']) ? (whole['allOf'] as unknown[]) : [];
  return [whole, ...all.map((part) => followed(api.root, part))];
}

function isSame(sent: unknown, shown: unknown, schema: Readonly<Record<string, unknown>> = {}): boolean {
  if (isEmpty(sent)) return isEmpty(shown);
  if (typeof sent === 'string' && typeof shown === 'string')
    return sent === shown || (schema['format'] !== undefined && isSameText(sent, shown));
  if (typeof sent === 'number' && typeof shown === 'number')
    return Math.abs(sent - shown) <= 1e-9 * Math.max(1, Math.abs(sent));
  if (Array.isArray(sent))
    return (
      Array.isArray(shown) &&
      sent.length === shown.length &&
      sent.every((item) => shown.some((other) => isSame(item, other)))
    );
  if (isObject(sent))
    return (
      isObject(shown) &&
      Object.entries(sent).every(([name, value]) => isEmpty(value) || isSame(value, shown[name]))
    );
  return sent === shown;
}

/** Texts with a format have several equivalent forms. */
function isSameText(sent: string, shown: string): boolean {
  const moments = [Date.parse(sent), Date.parse(shown)];
  const plain = (text: string): string => text.trim().toLowerCase().replace(/\/$/, '');
  return moments[0] === moments[1] || plain(sent) === plain(shown);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  );
}
