import { policyFor } from '../../contract/index.ts';
import type { Json, JsonObject, Operation } from '../../contract/model.ts';
import { idParameter } from '../../contract/policies/resource.ts';
import { isMatch } from '../../contract/schemas/holds.ts';
import { wordsOf } from '../samples/lifelike-text.ts';
import type { Collection } from './collection.ts';
import { uuidOf } from './hash.ts';
import type { Row } from './tables.ts';

/** The id of the `n`th thing that a server creates. */
export function madeId(collection: Collection, n: number): string {
  const { member, form, prefix = '' } = collection.policy.id;
  const { type, format, pattern } = { ...collection.idInPath(), ...collection.member(member) };
  const isNumber = type === 'integer' || type === 'number';
  const used = form ?? (isNumber ? 'integer' : format === 'uuid' ? 'uuid' : 'text');
  if (used === 'integer') return `${prefix}${String(n)}`;
  if (used === 'uuid') return `${prefix}${uuidOf(collection.hash(`id ${String(n)}`))}`;
  const plain = `${prefix}${collection.hash(`id ${String(n)}`).slice(0, 12)}`;
  if (typeof pattern !== 'string' || isMatch(pattern, plain)) return plain;
  const patterned = collection.idByPattern(n);
  return typeof patterned === 'string' ? patterned : plain;
}

/** The member with the id of a thing, in the form that its schema requires. */
export function idOf(collection: Collection, id: string): JsonObject {
  const { member } = collection.policy.id;
  const { type } = collection.member(member);
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(id);
  return { [member]: isNumber ? Number(id) : id };
}

/** The members that a request may write: neither the id nor read-only members. */
export function writable(collection: Collection, body: JsonObject): JsonObject {
  const { member } = collection.policy.id;
  return filtered(body, (name) => name !== member && collection.member(name)['readOnly'] !== true);
}

/** The members that a replacement keeps. */
export function serverMade(collection: Collection, item: JsonObject): JsonObject {
  return filtered(
    item,
    (name) => collection.member(name)['readOnly'] === true || isMoment(collection, name, 'created'),
  );
}

/** With the times of creation and change, if its schema has members for these. */
export function touched(
  collection: Collection,
  item: JsonObject,
  now: number,
  what: 'created' | 'changed',
): JsonObject {
  const moments = collection.members.filter(
    (name) =>
      isMoment(collection, name, 'changed') || (what === 'created' && isMoment(collection, name, 'created')),
  );
  return { ...item, ...Object.fromEntries(moments.map((name) => [name, timeIn(collection, name, now)])) };
}

/** A time as a member shows it. */
export function timeIn(collection: Collection, name: string, time: number): Json {
  const { type, format } = collection.member(name);
  return [type].flat().includes('integer')
    ? Math.floor(time / 1_000)
    : new Date(time).toISOString().slice(0, format === 'date' ? 10 : 24);
}

/** When a thing was created and last changed, in epoch milliseconds; a month of the past if its members do not say. */
export function lifetimeOf(collection: Collection, item: JsonObject): readonly [from: number, until: number] {
  const [created, changed] = (['created', 'changed'] as const).map((what) => {
    const name = collection.members.find((one) => isMoment(collection, one, what));
    const value = name === undefined ? undefined : item[name];
    const time = typeof value === 'number' ? value * 1_000 : Date.parse(String(value));
    return Number.isFinite(time) ? time : undefined;
  });
  const from = created ?? (changed ?? Date.UTC(2025, 6)) - MONTH_MS;
  return [from, Math.max(from, changed ?? from + MONTH_MS)];
}

/** Members of a list with the number of things. */
export function totals(collection: Collection, operation: Operation, count: number): JsonObject {
  return Object.fromEntries(
    collection.lists
      .members(operation)
      .filter((name) => /^(?:total|total_count|total_items|count_total)$/.test(wordsOf(name)))
      .map((name) => [name, count]),
  );
}

/** The headers of a list that count its things: the one that the sheet states, or such as `X-Total-Count`. */
export function totalHeaders(operation: Operation, count: number): Readonly<Record<string, string>> {
  const declared = operation.responses.find(({ status }) => status === '200')?.headers ?? [];
  const names = declared.map(({ name }) => name);
  const stated = policyFor(operation, 'numbered-pages')?.totalHeader;
  if (stated !== undefined) return { [stated]: String(count) };
  return Object.fromEntries(
    names
      .filter((name) => /^(?:x-)?(?:pagination-)?total(?:-count)?$/i.test(name))
      .map((name) => [name, String(count)]),
  );
}

/** The path of a thing, for `Location`. */
export function pathOf(read: Operation, { policy }: Collection, { within, id }: Row): string {
  const values = { ...within, [idParameter(policy)]: id };
  return Object.entries(values).reduce(
    (path, [name, value]) => path.replaceAll(`{${name}}`, encodeURIComponent(value)),
    read.path,
  );
}

// --- internal ---

const MONTH_MS = 30 * 24 * 3_600_000;

function filtered(item: JsonObject, isKept: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name)));
}

function isMoment(collection: Collection, name: string, what: 'created' | 'changed'): boolean {
  const words = wordsOf(name);
  const pattern =
    what === 'created'
      ? /^(?:created|creation)(?:_(?:at|on|time|date|timestamp))?$/
      : /^(?:updated|modified|changed|last_modified|last_updated)(?:_(?:at|on|time|date|timestamp))?$/;
  if (!pattern.test(words)) return false;
  const { type, format } = collection.member(name);
  return type === 'integer' || format === 'date-time' || format === 'date';
}
