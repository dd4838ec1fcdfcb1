import type { Call, Effect } from './sample.ts';
import type { Thing } from './world.ts';

/**
 * Where a call names the things that it means: `path.id`, `query.ids` or `body.user_id`; a list names several.
 * `me` is the caller, `=main` the thing with that key, and `path.teamId~path.userId` one with a key of two parts.
 */
export type Where = string;

const MISSING = { status: 404, body: { message: 'no such thing' } };

export const list =
  (table: string): Effect =>
  (_, world) => ({ body: world.all(table) });

export const read =
  (table: string, where: Where): Effect =>
  (call, world) => {
    const found = world.get(table, keyAt(call, where));
    return found === undefined ? MISSING : { body: found };
  };

interface Making {
  /** The member that names the thing; by default the server gives it an `id`. */
  readonly key?: string;
  /** Members that the server adds. */
  readonly adds?: Thing;
  readonly location?: boolean;
  /** The parameter that names what the thing belongs to. */
  readonly below?: string;
  /** The collection, if it is not the path of the call. */
  readonly at?: string;
  /** The answer says nothing about the thing. */
  readonly isSilent?: boolean;
}

/** Makes a thing. One that has the same natural key is given back with 200, unchanged. */
export const make =
  (table: string, { key, adds, location, below, at, isSilent = false }: Making = {}): Effect =>
  (call, world) => {
    const id = key === undefined ? world.nextId(table) : textOf(call.body[key]);
    const name = below === undefined ? String(id) : `${call.path[below] ?? ''}~${String(id)}`;
    const known = world.get(table, name);
    if (known !== undefined) return { status: 200, body: known };
    const thing = {
      ...adds,
      ...call.body,
      ...(below === undefined ? {} : { [below]: call.path[below] }),
      ...(key === undefined ? { id } : {}),
    };
    const address = `${at ?? call.pathname}/${encodeURIComponent(String(id))}`;
    const isShown = !isSilent && (key === undefined || (typeof call.body[key] === 'string' && id !== ''));
    world.make(table, name, thing, { operation: call.operation, ...(isShown ? { address } : {}) });
    return { body: thing, ...(location === true ? { headers: { Location: address } } : {}) };
  };

/** Makes each thing of a list. */
export const makeAll =
  (table: string, at: string): Effect =>
  (call, world) => {
    const given = Array.isArray(call.sent) ? call.sent : [];
    return { body: given.map((body: Call['body']) => make(table, { at })({ ...call, body }, world).body) };
  };

/** Does several things; the last one answers. */
export const both =
  (first: Effect, last: Effect): Effect =>
  (call, world) => {
    first(call, world);
    return last(call, world);
  };

/** Changes the thing that has the natural key of the body, answering with this status, or makes it. */
export const upsert =
  (table: string, member: string, status = 200): Effect =>
  (call, world) =>
    world.get(table, textOf(call.body[member])) === undefined
      ? make(table, { key: member })(call, world)
      : { ...change(table, `body.${member}`)(call, world), status };

/** Replaces a thing, or makes it under the name that the call gives. */
export const put =
  (table: string, where: Where, member?: string): Effect =>
  (call, world) => {
    const key = keyAt(call, where);
    const known = world.get(table, key);
    const thing = {
      ...call.body,
      ...(member === undefined ? {} : { [member]: idLike(known?.[member] ?? key, call.body[member]) }),
    };
    const address = where.startsWith('path') ? call.pathname : `${call.pathname}/${encodeURIComponent(key)}`;
    if (known === undefined)
      world.make(table, key, thing, { operation: call.operation, ...(key === '' ? {} : { address }) });
    else world.change(table, key, thing);
    return { body: thing };
  };

/** Changes members of things, by default those of the body. */
export const change =
  (table: string, where: Where, members?: Thing): Effect =>
  (call, world) => {
    const keys = keysAt(call, where).filter((key) => world.get(table, key) !== undefined);
    const { id: _, ...changed } = members ?? call.body;
    for (const key of keys) world.change(table, key, changed);
    return keys.length === 0 ? MISSING : { body: world.get(table, keys[0] ?? '') };
  };

export const remove =
  (table: string, where: Where): Effect =>
  (call, world) => {
    const keys = keysAt(call, where).filter((key) => world.get(table, key) !== undefined);
    for (const key of keys) world.remove(table, key);
    return keys.length === 0 ? MISSING : {};
  };

export const clear =
  (table: string): Effect =>
  (_, world) => {
    for (const key of world.keys(table)) world.remove(table, key);
    return {};
  };

/** Something happens that cannot be undone. */
export const happen =
  (what: string, body?: Thing): Effect =>
  (_, world) => {
    world.happened.push(what);
    return body === undefined ? {} : { body };
  };

/** Takes from the number that a thing has, and does the rest. */
export const take =
  (table: string, where: Where, [member, amount]: readonly [string, Where], rest: Effect): Effect =>
  (call, world) => {
    const key = keyAt(call, where);
    const known = world.get(table, key);
    if (known === undefined) return MISSING;
    world.change(table, key, { [member]: Number(known[member]) - (Number(keyAt(call, amount)) || 1) });
    return rest(call, world);
  };

// --- internal ---

function keysAt(call: Call, where: Where): readonly string[] {
  if (where === 'me') return [call.caller];
  if (where.startsWith('=')) return [where.slice(1)];
  if (where.includes('~'))
    return [
      where
        .split('~')
        .map((part) => keyAt(call, part))
        .join('~'),
    ];
  const [place = '', name = ''] = where.split('.');
  const texts =
    place === 'query'
      ? call.query.getAll(name)
      : [place === 'path' ? call.path[name] : call.body[name]].flat().map(textOf);
  return texts.flatMap((text) => (place === 'query' ? text.split(',') : [text]));
}

const keyAt = (call: Call, where: Where): string => keysAt(call, where)[0] ?? '';

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '');

/** A key of the path as the body has it: a number, where its ids are numbers. */
function idLike(known: unknown, given: unknown): unknown {
  return typeof given === 'number' && Number.isInteger(Number(known)) ? Number(known) : known;
}
