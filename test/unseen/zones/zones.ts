import type { Clock } from '../../../conformance/index.ts';
import { pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { replayingKeys } from './keys.ts';
import { askedPage, pageOf } from './pages.ts';
import { canBe } from './lives.ts';
import { checkMatch, isCurrentCopy, merged, mostZones, picked, shownZone, tagOf } from './store.ts';
import type { Has, Store, Zone } from './store.ts';

export type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

const members = ['name', 'kind', 'default_ttl', 'contact', 'note', 'tags'];

/** The calls about zones, by operation. */
export function zoneHandlers(
  store: Store,
  clock: Clock,
  accounts: readonly string[],
  has: Has,
): Readonly<Record<string, Handler>> {
  const byKey = replayingKeys(clock, has);

  const tag = (zone: Zone): string => {
    const seen = shownZone(zone);
    if (has('tag-ignores-sets')) {
      delete seen['set_count'];
      delete seen['serial'];
    }
    return tagOf(seen);
  };
  const told = (zone: Zone, status = 200, headers = {}): Answer => ({
    status,
    headers: { ETag: tag(zone), ...headers },
    json: shownZone(zone),
  });

  /** Names that differ in case are the same name. */
  const checkName = (name: unknown, but?: Zone, isExact = false): void => {
    const same = (one: unknown): boolean =>
      isExact ? one === name : String(one).toLowerCase() === String(name).toLowerCase();
    const isTaken = [...store.zones.values()].some(
      (one) => one !== but && !one.isDeleted && same(one.values['name']),
    );
    if (isTaken) throw new Refusal(409, 'name_taken', 'Another zone has the name.');
  };
  const checkRoom = (owner: string): void => {
    if (store.countOf(owner) >= mostZones)
      throw new Refusal(409, 'too_many_zones', `An account has at most ${String(mostZones)} zones.`);
  };
  const checkVersion = (call: Call, zone: Zone): void => {
    if (call.header('If-Match') === undefined)
      throw new Refusal(428, 'version_needed', 'If-Match is needed.');
    checkMatch(call, tag(zone));
  };

  const create = async (call: Call, owner: string): Promise<Answer> => {
    const body = call.body as Thing;
    await (body['contact'] === 'slow@test.invalid' ? clock.sleep(5000) : pause(clock));
    if (body['contact'] === 'fail@test.invalid') throw new Refusal(500, 'internal', 'The server failed.');
    if (body['contact'] === 'busy@test.invalid')
      throw new Refusal(503, 'unavailable', 'The server has too much to do.', { 'Retry-After': '1' });
    store.settle();
    checkName(body['name']);
    checkRoom(owner);
    const made = store.make(owner, { kind: 'primary', default_ttl: 3600, ...picked(body, members) });
    return told(made, 201, { Location: `/zones/${made.id}` });
  };

  const list: Handler = (call, owner) => {
    store.settle();
    const { state, kind, sort = 'created_at' } = call.query;
    const zones = [...store.zones.values()]
      .filter((one) => one.owner === owner && !one.isDeleted)
      .filter((one) => state === undefined || one.listedAs === state)
      .filter((one) => kind === undefined || one.values['kind'] === kind);
    const turns = has('ties-turn-by-page') && askedPage(call).page % 2 === 0 ? -1 : 1;
    const way = sort.startsWith('-') ? -1 : 1;
    const by = sort.replace('-', '');
    const value = (one: Zone): unknown => (by === 'created_at' ? one.createdAt : one.values[by]);
    const sorted = zones.toSorted(
      (a, b) => way * compared(value(a), value(b)) || turns * (a.number - b.number),
    );
    return pageOf(call, sorted.map(shownZone), { path: '/zones', kept: ['state', 'kind', 'sort'], has });
  };

  const change: Handler = async (call, owner) => {
    await pause(clock);
    const zone = store.found(call, owner);
    checkVersion(call, zone);
    store.checkOpen(zone);
    if (has('change-race')) await pause(clock);
    const names = members.filter((one) => one !== 'kind');
    const values = merged(zone.values, call.body as Thing, names);
    if (values['name'] !== zone.values['name']) checkName(values['name'], zone, has('rename-other-case'));
    if (tagOf(values) !== tagOf(zone.values)) zone.serial += 1;
    zone.values = values;
    return told(zone);
  };

  const remove: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    checkVersion(call, zone);
    store.cancelAll(zone);
    zone.isDeleted = true;
    return { status: 204 };
  };

  const restore: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    if (!zone.isDeleted) throw new Refusal(409, 'not_deleted', 'The zone is not deleted.');
    if (!has('restored-name-twice')) checkName(zone.values['name'], zone);
    if (zone.state !== 'retired') checkRoom(owner);
    zone.isDeleted = false;
    zone.wasRestored = true;
    if (has('restored-as-draft') && zone.state === 'published') {
      zone.state = 'draft';
      zone.listedAs = 'draft';
      zone.publishedAt = undefined;
    }
    return told(zone);
  };

  const turned: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    const action = call.operation.replace('Zone', '');
    const to = canBe(zone.state, action, has);
    if (to === undefined) {
      const isAgain = action === 'publish' && zone.publishedAt !== undefined;
      if (isAgain && has('refused-publish-renews')) zone.publishedAt = store.now();
      throw new Refusal(409, 'wrong_state', `The zone is ${zone.state}.`);
    }
    zone.state = to;
    if (!(action === 'unlock' && has('unlocked-listed-as-locked'))) zone.listedAs = to;
    zone.serial += 1;
    if (action === 'publish') zone.publishedAt = store.now();
    zone.lockedAt = action === 'lock' ? store.now() : undefined;
    if (action === 'retire') zone.retiredAt = store.now();
    return told(zone);
  };

  const transfer: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    store.checkOpen(zone);
    const { to } = call.body as { readonly to: string };
    if (to === owner || !accounts.includes(to))
      throw new Refusal(422, 'unknown_account', 'There is no other account with the name.');
    checkRoom(to);
    store.cancelAll(zone);
    zone.formerOwners.push(owner);
    zone.owner = to;
    return { status: 204 };
  };

  return {
    listZones: list,
    createZone: (call, owner) => byKey(call, owner, () => create(call, owner)),
    getZone: (call, owner) => {
      const zone = store.found(call, owner);
      return isCurrentCopy(call, tag(zone)) ? { status: 304, headers: { ETag: tag(zone) } } : told(zone);
    },
    changeZone: change,
    deleteZone: remove,
    restoreZone: restore,
    publishZone: turned,
    lockZone: turned,
    unlockZone: turned,
    retireZone: turned,
    transferZone: transfer,
  };
}

// --- internal ---

function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [String(a), String(b)];
  return one === other ? 0 : one < other ? -1 : 1;
}
