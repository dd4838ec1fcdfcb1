import { hasTag, isValid, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { pageOf } from './pages.ts';
import { checkMatch, isCurrentCopy, merged, picked, shownSet, tagOf } from './store.ts';
import type { Has, RecordSet, Store, Zone } from './store.ts';
import type { Handler } from './zones.ts';

const members = ['type', 'ttl', 'records', 'weight', 'comment'];
const namePattern = /^[a-z0-9_]([a-z0-9._-]{0,58}[a-z0-9])?$/;

/** The calls about record sets, by operation. */
export function setHandlers(store: Store, document: string, has: Has): Readonly<Record<string, Handler>> {
  const tag = (set: RecordSet): string =>
    has('tag-by-second')
      ? tagOf({ name: set.name, at: set.updatedAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length) })
      : tagOf(shownSet(set));
  const told = (set: RecordSet, status = 200, headers = {}): Answer => ({
    status,
    headers: { ETag: tag(set), ...headers },
    json: shownSet(set),
  });
  const nameOf = (call: Call): string => call.path['setName'] ?? '';
  const pathOf = (zone: Zone, name: string): string => `/zones/${zone.id}/sets/${name}`;

  /** What a body says of a record set. */
  const valuesOf = (body: Thing): Thing => {
    const sent = picked(body, members);
    const records = (sent['records'] as readonly string[]).map((one) =>
      has('long-record-cut') ? [...one].slice(0, 254).join('') : one,
    );
    return { ttl: 3600, ...sent, records };
  };
  const foundSet = (zone: Zone, call: Call): RecordSet => {
    const set = zone.sets.get(nameOf(call));
    if (set === undefined) throw new Refusal(404, 'not_found', 'The name has no record set.');
    return set;
  };
  const checkNone = (call: Call, set: RecordSet | undefined, zone: Zone): void => {
    const none = call.header('If-None-Match');
    if (none === undefined) return;
    const left = has('none-match-after-drop') ? zone.dropped.get(nameOf(call)) : undefined;
    const there = set ?? left;
    if (there !== undefined && hasTag(none, tag(there), true))
      throw new Refusal(412, 'exists', 'The name has a record set.');
  };

  const list: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    const { type } = call.query;
    const sets = [...zone.sets.values()]
      .filter((one) => type === undefined || one.values['type'] === type)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return pageOf(call, sets.map(shownSet), { path: `/zones/${zone.id}/sets`, kept: ['type'], has });
  };

  const add: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    store.checkOpen(zone);
    const body = call.body as Thing & { readonly name: string };
    if (zone.sets.has(body.name)) throw new Refusal(409, 'set_exists', 'The name has a record set.');
    const set = store.putSet(zone, body.name, valuesOf(body));
    return told(set, 201, { Location: pathOf(zone, set.name) });
  };

  const addMany: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    store.checkOpen(zone);
    const before = new Set(zone.sets.keys());
    const { sets } = call.body as { readonly sets: readonly unknown[] };
    const results = sets.map((one): Thing => {
      if (!isValid(document, 'addSet', one)) return { status: 422, code: 'invalid_body' };
      const body = one as Thing & { readonly name: string };
      if (Object.hasOwn(body, 'geo')) return { status: 422, code: 'reserved' };
      const isTaken = has('import-name-twice') ? before.has(body.name) : zone.sets.has(body.name);
      if (isTaken) return { status: 409, code: 'set_exists' };
      return { status: 201, set: shownSet(store.putSet(zone, body.name, valuesOf(body))) };
    });
    return { status: 200, json: { results } };
  };

  const put: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    const name = nameOf(call);
    if (!namePattern.test(name)) throw new Refusal(400, 'invalid', 'The name is not valid.');
    const known = zone.sets.get(name);
    if (known !== undefined || !has('lost-set-if-match'))
      checkMatch(call, known === undefined ? undefined : tag(known));
    checkNone(call, known, zone);
    store.checkOpen(zone);
    const left = has('set-revived') ? picked(zone.dropped.get(name)?.values ?? {}, ['comment']) : {};
    const values = { ...(known === undefined ? left : {}), ...valuesOf(call.body as Thing) };
    const set = store.putSet(zone, name, values);
    return known === undefined ? told(set, 201, { Location: pathOf(zone, name) }) : told(set);
  };

  const change: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    const set = foundSet(zone, call);
    checkMatch(call, tag(set));
    checkNone(call, set, zone);
    store.checkOpen(zone);
    const values = merged(set.values, call.body as Thing, members);
    return told(store.putSet(zone, set.name, valuesOf(values)));
  };

  const drop: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    store.checkOpen(zone);
    const set = zone.sets.get(nameOf(call));
    if (set !== undefined) {
      zone.sets.delete(set.name);
      zone.dropped.set(set.name, set);
      zone.serial += 1;
    }
    return { status: 204 };
  };

  return {
    listSets: list,
    addSet: add,
    importSets: addMany,
    getSet: (call, owner) => {
      const set = foundSet(store.found(call, owner), call);
      return isCurrentCopy(call, tag(set)) ? { status: 304, headers: { ETag: tag(set) } } : told(set);
    },
    putSet: put,
    changeSet: change,
    dropSet: drop,
  };
}
