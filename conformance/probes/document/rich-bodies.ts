import { isRecord } from '../../../contract/index.ts';
import type { Json, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf, propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { at } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { isValid } from './values.ts';
import { isOfAnotherThing, put } from './variants.ts';

/**
 * The same body with values that are easily spoilt on their way: texts in other scripts, long lists, and times of another zone.
 * First with all, then with some; none if it has no such member.
 *
 * @param path where the thing is in the body; the whole body if it has no object there
 * @param takes whether a member may get another value
 */
export function richBodies(
  api: OwnApi,
  operation: Operation,
  value: Json,
  { path, takes }: { readonly path?: string | undefined; readonly takes: (member: string) => boolean },
): readonly Json[] {
  const content = sentContent(operation);
  if (content?.schema === undefined) return [];
  const inner = path === undefined ? undefined : at(value, path);
  const isInside = path !== undefined && isRecord(inner);
  const thing = isInside ? inner : value;
  const [schema] = isInside ? propertyAt(content.schema, path, api.root) : [content.schema];
  if (!isRecord(thing) || schema === undefined) return [];
  const names = isInside ? path.split('.') : [];
  const accepted = (api.contract.sheet?.policies ?? []).flatMap((policy) =>
    policy.kind === 'diagnostics' ? (policy.accepts?.[operation.id] ?? []) : [],
  );
  const withKinds = (kinds: readonly Kind[], isFull = false): Json =>
    propertiesOf(schema, api.root).reduce<Json>((body, [name, own]) => {
      const isThere = Object.hasOwn(thing, name);
      const kind = takes(name) ? kindOf(api, name, own) : undefined;
      if (kind === undefined || !kinds.includes(kind)) return body;
      // Which times a server takes is open, unless the sheet says that it takes any.
      if (!isThere && !(kind === 'time' && accepted.includes(name))) return body;
      const most = kind === 'text' && isFull ? longestOf(api, own) : undefined;
      const rich =
        kind === 'time' ? inAnotherZone(thing[name]) : most === undefined ? RICH[kind] : filled(most);
      const richer = put(body, [...names, name], rich);
      return isValid(api, content, richer) ? richer : body;
    }, value);
  const all = [
    withKinds(['text', 'list', 'time'], true),
    ...[withKinds(['text', 'list', 'time']), withKinds(['text', 'list'])],
    ...[withKinds(['list']), withKinds(['text']), withKinds(['time'])],
  ];
  const usual = JSON.stringify(value);
  return [...new Map(all.map((body) => [JSON.stringify(body), body])).entries()].flatMap(([text, body]) =>
    text === usual ? [] : [body],
  );
}

// --- internal ---

type Kind = keyof typeof RICH | 'time';

/** Letters with marks, of other scripts, and beyond the ASCII characters; and a list that is longer than most. */
const RICH = {
  text: 'Größe, naïve café: Ελληνικά, русский, 日本語 – “as sent” 🙂',
  list: Array.from({ length: 24 }, (_, index) => `tallystick-${index + 1}`),
} as const;

/** How many characters a text may have, if they are not too many; a character can need two units of UTF-16. */
function longestOf(api: OwnApi, schema: Schema): number | undefined {
  const own = followed(api.root, schema);
  const most = isRecord(own) ? own['maxLength'] : undefined;
  return typeof most === 'number' && most >= RICH.text.length && most <= LONGEST ? most : undefined;
}

const LONGEST = 1_000;

/** A text of so many characters, most of them beyond the first 65,536. */
function filled(characters: number): string {
  return `${RICH.text}${'🙂'.repeat(characters - [...RICH.text].length)}`;
}

/** The same time as clocks show it elsewhere. */
function inAnotherZone(value: unknown): string {
  const given = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const time = Number.isNaN(given) ? Date.UTC(2027, 2, 12, 19, 30) : given;
  return new Date(time + ZONE_MINUTES * 60_000).toISOString().replace(/(?:\.000)?Z$/, '+05:30');
}

const ZONE_MINUTES = 330;

/** What a member is, if it is free: without a format, a pattern or named values, and set by callers. */
function kindOf(api: OwnApi, name: string, schema: Schema): Kind | undefined {
  const own = followed(api.root, schema);
  if (isRecord(own) && own['format'] === 'date-time' && isFree({ ...own, format: undefined })) return 'time';
  if (isRecord(own) && isFreeText(name, own)) return 'text';
  if (!isRecord(own) || isOfAnotherThing(name) || !isFree(own)) return undefined;
  const items = followed(api.root, own['items']);
  return own['type'] === 'array' && isRecord(items) && items['type'] === 'string' && isFree(items)
    ? 'list'
    : undefined;
}

/** Whether a member is a text that callers choose, of any form. */
export function isFreeText(name: string, schema: Readonly<Record<string, unknown>>): boolean {
  return schema['type'] === 'string' && !isOfAnotherThing(name) && isFree(schema);
}

function isFree(schema: Readonly<Record<string, unknown>>): boolean {
  const isOfServer = ['readOnly', 'writeOnly', 'deprecated'].some((name) => schema[name] === true);
  return !isOfServer && ['format', 'pattern', 'enum', 'const'].every((name) => schema[name] === undefined);
}
