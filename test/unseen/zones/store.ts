import type { Clock } from '../../../conformance/index.ts';
import { canonical, digest, hasTag, Refusal, type Call, type Thing } from '../wire.ts';

export type Has = (fault: string) => boolean;

export type ZoneState = 'draft' | 'published' | 'locked' | 'retired';

export interface RecordSet {
  readonly name: string;
  readonly createdAt: string;
  updatedAt: string;
  values: Thing;
}

export interface Change {
  readonly id: string;
  readonly zone: Zone;
  readonly values: Thing & { readonly set: string };
  readonly submitted: number;
  readonly due: number;
  state: 'pending' | 'applied' | 'failed' | 'cancelled';
  endedAt: string;
  outcome: string;
}

export interface Zone {
  readonly id: string;
  readonly number: number;
  readonly createdAt: string;
  readonly sets: Map<string, RecordSet>;
  /** Record sets that were dropped, by name. */
  readonly dropped: Map<string, RecordSet>;
  readonly formerOwners: string[];
  owner: string;
  values: Thing;
  state: ZoneState;
  /** The state by which lists find the zone. */
  listedAs: ZoneState;
  serial: number;
  publishedAt?: string | undefined;
  lockedAt?: string | undefined;
  retiredAt?: string | undefined;
  isDeleted: boolean;
  wasRestored: boolean;
}

/** All zones, and what every kind of call does with them. */
export interface Store {
  readonly zones: Map<string, Zone>;
  /** The changes of all zones, the oldest first. */
  readonly changes: Change[];
  readonly now: () => string;
  readonly make: (owner: string, values: Thing) => Zone;
  /** The zone of a call; refuses one that does not exist for the caller. */
  readonly found: (call: Call, owner: string) => Zone;
  /** Refuses what would change a closed zone. */
  readonly checkOpen: (zone: Zone) => void;
  readonly putSet: (zone: Zone, name: string, values: Thing, at?: string) => RecordSet;
  readonly countOf: (owner: string) => number;
  readonly pendingOf: (owner: string) => number;
  readonly cancelAll: (zone: Zone) => void;
  /** Makes the changes whose time has come. */
  readonly settle: () => void;
}

export const mostZones = 12;

const atZones = [
  ...['getZone', 'changeZone', 'deleteZone', 'restoreZone', 'transferZone'],
  ...['publishZone', 'lockZone', 'unlockZone', 'retireZone'],
];

export function storeOf(clock: Clock, has: Has): Store {
  const zones = new Map<string, Zone>();
  const changes: Change[] = [];
  const now = (): string => new Date(clock.now()).toISOString();

  const make = (owner: string, values: Thing): Zone => {
    const number = zones.size + 1;
    const made: Zone = {
      id: `zone_${String(number)}`,
      number,
      createdAt: now(),
      sets: new Map(),
      dropped: new Map(),
      formerOwners: [],
      owner,
      values,
      state: 'draft',
      listedAs: 'draft',
      serial: 1,
      isDeleted: false,
      wasRestored: false,
    };
    zones.set(made.id, made);
    return made;
  };

  const putSet = (zone: Zone, name: string, values: Thing, at = now()): RecordSet => {
    const known = zone.sets.get(name);
    if (known !== undefined) {
      if (canonical(known.values) === canonical(values)) return known;
      known.values = values;
      known.updatedAt = at;
      zone.serial += 1;
      return known;
    }
    const made: RecordSet = { name, createdAt: at, updatedAt: at, values };
    zone.sets.set(name, made);
    zone.serial += 1;
    return made;
  };

  const settle = (): void => {
    const due = changes.filter((one) => one.state === 'pending' && one.due <= clock.now());
    for (const change of due.toSorted((a, b) => a.due - b.due)) {
      const { zone, values } = change;
      change.endedAt = new Date(change.due).toISOString();
      change.state = isClosed(zone) ? 'failed' : 'applied';
      change.outcome = isClosed(zone) ? 'zone_closed' : zone.sets.has(values.set) ? 'replaced' : 'created';
      const { type, records, ttl } = values;
      if (change.state === 'applied') putSet(zone, values.set, { type, records, ttl }, change.endedAt);
    }
  };

  const found = (call: Call, owner: string): Zone => {
    settle();
    const zone = zones.get(call.path['zoneId'] ?? '');
    const mayLook =
      has('former-owner-reads-sets') &&
      call.operation === 'getSet' &&
      zone?.formerOwners.includes(owner) === true;
    if (zone !== undefined && zone.isDeleted && call.operation !== 'restoreZone') {
      if (zone.owner !== owner && !has('deleted-zone-told')) throw noZone();
      const isBelow = !atZones.includes(call.operation);
      const code = isBelow && has('below-gone-not-found') ? 'not_found' : 'zone_deleted';
      throw new Refusal(410, code, 'The zone was deleted.');
    }
    if (zone === undefined || (zone.owner !== owner && !mayLook)) throw noZone();
    return zone;
  };

  const checkOpen = (zone: Zone): void => {
    if (zone.state === 'retired' && has('retired-serial-grows')) zone.serial += 1;
    if (isClosed(zone)) throw new Refusal(409, 'wrong_state', `The zone is ${zone.state}.`);
  };

  const cancelAll = (zone: Zone): void => {
    for (const one of changes) if (one.zone === zone && one.state === 'pending') cancel(one, now());
  };

  const countOf = (owner: string): number =>
    [...zones.values()].filter(
      (one) =>
        one.owner === owner &&
        !one.isDeleted &&
        one.state !== 'retired' &&
        !(one.wasRestored && has('restored-zone-uncounted')),
    ).length;

  const pendingOf = (owner: string): number => {
    settle();
    const isWaiting = ({ state, due }: Change): boolean =>
      state === 'pending' || (state === 'cancelled' && due > clock.now() && has('cancelled-change-counts'));
    return changes.filter((one) => one.zone.owner === owner && isWaiting(one)).length;
  };

  const harbour = make('north', { name: 'harbour.example', kind: 'primary', default_ttl: 3600 });
  putSet(harbour, 'www', { type: 'A', records: ['192.0.2.10', '192.0.2.11'], ttl: 300 });
  putSet(harbour, 'mail', { type: 'MX', records: ['10 mx.harbour.example'], ttl: 3600 });
  putSet(harbour, 'api', { type: 'CNAME', records: ['www.harbour.example'], ttl: 600, weight: 10 });
  Object.assign(harbour, { state: 'published', listedAs: 'published', publishedAt: now() });
  harbour.serial += 1;
  make('north', { name: 'mill.example', kind: 'secondary', default_ttl: 7200, note: 'For the spring.' });
  const orchard = make('south', { name: 'orchard.example', kind: 'primary', default_ttl: 3600 });
  putSet(orchard, 'www', { type: 'A', records: ['192.0.2.20'], ttl: 300 });

  return { zones, changes, now, make, found, checkOpen, putSet, countOf, pendingOf, cancelAll, settle };
}

/** Ends a pending change. */
export function cancel(change: Change, at: string): void {
  change.state = 'cancelled';
  change.outcome = 'cancelled';
  change.endedAt = at;
}

export function shownZone(zone: Zone): Thing {
  const { id, state, serial, publishedAt, lockedAt, retiredAt } = zone;
  return {
    id,
    ...zone.values,
    state,
    serial,
    set_count: zone.sets.size,
    created_at: zone.createdAt,
    ...(publishedAt === undefined ? {} : { published_at: publishedAt }),
    ...(lockedAt === undefined ? {} : { locked_at: lockedAt }),
    ...(retiredAt === undefined ? {} : { retired_at: retiredAt }),
    links: { self: `/zones/${id}`, sets: `/zones/${id}/sets` },
  };
}

export const shownSet = ({ name, values, createdAt, updatedAt }: RecordSet): Thing => ({
  name,
  ...values,
  created_at: createdAt,
  updated_at: updatedAt,
});

export const tagOf = (shown: Thing): string => `"${digest(canonical(shown))}"`;

/** Whether a read needs no body, because the caller has the current version. */
export function isCurrentCopy(call: Call, tag: string): boolean {
  const none = call.header('If-None-Match');
  return none !== undefined && hasTag(none, tag, true);
}

/** Refuses a change of another version than the one that If-Match names; there is no tag where there is nothing. */
export function checkMatch(call: Call, tag: string | undefined): void {
  const match = call.header('If-Match');
  if (match !== undefined && (tag === undefined || !hasTag(match, tag, false)))
    throw new Refusal(412, 'stale', 'There is another version by now.');
}

/** The values after a merge patch: null takes a member away. */
export function merged(values: Thing, patch: Thing, members: readonly string[]): Thing {
  const sent = Object.entries(patch).filter(([name]) => members.includes(name));
  const both: Thing = { ...values, ...Object.fromEntries(sent) };
  return Object.fromEntries(Object.entries(both).filter(([, value]) => value !== null));
}

/** The members of a body that the document names. */
export const picked = (body: Thing, members: readonly string[]): Thing =>
  Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name)));

// --- internal ---

const isClosed = ({ state }: Zone): boolean => state === 'locked' || state === 'retired';

const noZone = (): Refusal => new Refusal(404, 'not_found', 'There is no such zone.');
