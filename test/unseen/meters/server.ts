import type { Clock, Transport } from '../../../conformance/index.ts';
import {
  type Answer,
  type Call,
  digest,
  hasTag,
  isValid,
  pause,
  Refusal,
  serve,
  textOf,
  type Thing,
} from '../wire.ts';
import { pageOf } from './cursors.ts';
import { recordedKeys } from './keys.ts';
import { type Alarm, compare, type Device, type Has, type Reading, tenth } from './things.ts';
import { eventsOf, wake } from './watching.ts';

export const METERS = textOf('meters/meters.openapi.yaml');
export const METERS_SHEET = textOf('meters/meters.behaviour.yaml');

/** The device of the first account whose id never changes. */
export const ROOF = 'dev_aaaaaaaaaaaa';

/** What the second account has from the beginning. */
export const OTHERS = { device: 'dev_bbbbbbbbbbbb', alarm: 'alm_bbbbbbbbbbbb' };

/** Who calls: an account, and what it may do there. */
const callers: Readonly<
  Record<string, { readonly account: string; readonly may: 'all' | 'read' | 'nothing' }>
> = {
  'key-of-the-owner': { account: 'first', may: 'all' },
  'key-of-a-reader': { account: 'first', may: 'read' },
  'key-of-another': { account: 'second', may: 'all' },
  'key-that-is-suspended': { account: 'third', may: 'nothing' },
};

/** The members of a device that a patch can change. */
const changeable = ['name', 'kind', 'site', 'limit_w', 'tags'];

/** A server of meters that keeps its contract, but for the faults that are named. */
export function metersServer(clock: Clock, faults: readonly string[] = []): Transport {
  const has: Has = (name) => faults.includes(name);
  const devices = new Map<string, Device>();
  const alarms = new Map<string, Alarm>();
  let count = 0;
  let lastTime = 0;

  /** Now, as text; two things are never made at the same time. */
  const now = (): string => {
    lastTime = Math.max(clock.now(), lastTime + 1);
    return new Date(lastTime).toISOString();
  };
  const callerOf = (call: Pick<Call, 'header'>): { readonly account: string; readonly may: string } => {
    const caller = callers[call.header('X-Key') ?? ''];
    if (caller === undefined) throw new Refusal(401, 'no_credential', 'The key is missing or not known.');
    return caller;
  };
  const deviceOf = (call: Call): Device => {
    const device = devices.get(call.path['deviceId'] ?? '');
    if (device === undefined || device.account !== callerOf(call).account)
      throw new Refusal(404, 'not_found', 'There is no such device.');
    return device;
  };
  const alarmOf = (call: Call, isAnybody = false): Alarm => {
    const alarm = alarms.get(call.path['alarmId'] ?? '');
    if (alarm === undefined || (!isAnybody && alarm.account !== callerOf(call).account))
      throw new Refusal(404, 'not_found', 'There is no such alarm.');
    return alarm;
  };
  const validBody = (call: Call): Thing => {
    if (!isValid(METERS, call.operation, call.body))
      throw new Refusal(400, 'invalid', 'The body is not valid.');
    return call.body as Thing;
  };

  const shownDevice = (device: Device): Thing => ({
    id: device.id,
    ...device.fields,
    reading_count: device.readings.length,
    energy_wh: tenth(device.readings.reduce((sum, { energy_wh }) => sum + energy_wh, 0)),
    last_reading_at:
      device.readings
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null,
    created_at: device.created_at,
    updated_at: device.updated_at,
  });
  const tagOfDevice = (device: Device): string => `"${device.id}.${device.version}"`;
  const tagOfAlarm = ({ facts, version }: Alarm): string =>
    has('acknowledgement-keeps-tag')
      ? `"${String(facts['id'])}.${facts['state'] === 'resolved' ? 2 : 1}"`
      : `"${String(facts['id'])}.${version}"`;
  const deviceAnswer = (device: Device, status = 200, more: Record<string, string> = {}): Answer => ({
    status,
    headers: { ETag: tagOfDevice(device), ...more },
    json: shownDevice(device),
  });
  const alarmAnswer = (alarm: Alarm, status = 200): Answer => ({
    status,
    headers: { ETag: tagOfAlarm(alarm) },
    json: alarm.facts,
  });
  const shownReading = (reading: Reading): Thing =>
    has('large-watts-as-text') && Number(reading['watts']) >= 100_000
      ? { ...reading, watts: String(reading['watts']) }
      : reading;

  const once = recordedKeys({
    clock,
    has,
    accountOf: (call) => callerOf(call).account,
    present: (id) => {
      const device = devices.get(id);
      return device === undefined ? undefined : shownDevice(device);
    },
  });

  const handlers: Record<string, (call: Call) => Promise<Answer> | Answer> = {
    listDevices(call) {
      const { account } = callerOf(call);
      const { kind, site, sort = 'created_at' } = call.query;
      const isKindIgnored = has('cursor-forgets-filter') && call.query['cursor'] !== undefined;
      const matches = ({ fields }: Device): boolean => {
        const isKind = kind === undefined || isKindIgnored || fields['kind'] === kind;
        const isSite = site === undefined || fields['site'] === site;
        if (has('filters-either') && kind !== undefined && site !== undefined)
          return fields['kind'] === kind || fields['site'] === site;
        return isKind && isSite;
      };
      const member = sort.replace('-', '');
      const sign = sort.startsWith('-') && !has('sort-within-page') ? -1 : 1;
      const sorted = [...devices.values()]
        .filter((device) => device.account === account && matches(device))
        .map((device) => ({ order: device.order, shown: shownDevice(device) }))
        .toSorted(
          (a, b) =>
            sign * compare(a.shown[member], b.shown[member], has('sort-numbers-as-text')) ||
            a.order - b.order,
        )
        .map(({ shown }) => shown);
      return pageOf(has, call, sorted, ({ id }) => String(id), {
        isDevices: true,
        descends: sort.startsWith('-') && has('sort-within-page'),
      });
    },
    registerDevice: (call) =>
      once(call, async () => {
        const { account } = callerOf(call);
        const body = validBody(call);
        if ('firmware' in body) throw new Refusal(422, 'reserved', 'firmware is for a later version.');
        if (body['name'] === 'slow device') await clock.sleep(1500);
        if (body['name'] === 'broken device') throw new Refusal(500, 'internal', 'The server failed.');
        if (body['name'] === 'unavailable device')
          throw new Refusal(503, 'unavailable', 'Try again.', { 'Retry-After': '1' });
        await pause(clock);
        const device = add(account, body);
        return {
          answer: deviceAnswer(device, 201, { Location: `/devices/${device.id}` }),
          device: device.id,
        };
      }),
    getDevice(call) {
      const device = deviceOf(call);
      const list = call.header('If-None-Match');
      const looked = has('first-tag-only') ? list?.split(',')[0] : list;
      if (looked !== undefined && hasTag(looked, tagOfDevice(device), true))
        return { status: 304, headers: { ETag: tagOfDevice(device) } };
      return deviceAnswer(device);
    },
    async changeDevice(call) {
      const device = deviceOf(call);
      const match = call.header('If-Match');
      if (match === undefined) throw new Refusal(428, 'version_needed', 'If-Match is missing.');
      if (!isValid(METERS, 'changeDevice', call.body)) {
        if (has('refused-patch-stored') && typeof call.body === 'object' && call.body !== null)
          for (const [name, value] of Object.entries(call.body))
            if (
              name in device.fields &&
              isValid(METERS, 'changeDevice', { [name]: value }) &&
              value !== null
            ) {
              device.fields = { ...device.fields, [name]: value };
              device.version += 1;
            }
        throw new Refusal(400, 'invalid', 'The patch is not valid.');
      }
      const judge = (): void => {
        if (!hasTag(match, tagOfDevice(device), false)) throw new Refusal(412, 'stale', 'It has changed.');
      };
      judge();
      await pause(clock);
      if (!has('versions-race')) judge();
      const changed = { ...device.fields };
      for (const [name, value] of Object.entries(call.body as Thing))
        if (changeable.includes(name) && !(value === null && has('patch-keeps-null'))) changed[name] = value;
      device.fields = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
      device.version += 1;
      device.updated_at = now();
      return deviceAnswer(device);
    },
    removeDevice(call) {
      const device = deviceOf(call);
      const match = call.header('If-Match');
      if (match === undefined) throw new Refusal(428, 'version_needed', 'If-Match is missing.');
      const isEarlier = has('removal-by-old-version') && match.includes(`"${device.id}.`);
      if (!isEarlier && !hasTag(match, tagOfDevice(device), false))
        throw new Refusal(412, 'stale', 'It has changed.');
      devices.delete(device.id);
      for (const [id, alarm] of alarms)
        if (alarm.facts['device_id'] === device.id && !has('removal-keeps-alarms')) {
          alarms.delete(id);
          wake(alarm);
        }
      return { status: 204 };
    },
    listReadings(call) {
      const device = deviceOf(call);
      const bound = (name: string): number | undefined => {
        const text = call.query[name];
        const time = text === undefined ? undefined : Date.parse(text);
        if (Number.isNaN(time)) throw new Refusal(400, 'invalid', `There is no such time: ${name}.`);
        return time;
      };
      const [from, to] = [bound('from'), bound('to')];
      const inside = device.readings
        .filter(({ at }) => from === undefined || Date.parse(at) >= from)
        .filter(({ at }) => {
          if (to === undefined) return true;
          return has('window-end-inclusive') ? Date.parse(at) <= to : Date.parse(at) < to;
        })
        .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
      return pageOf(has, call, inside.map(shownReading), ({ id }) => String(id));
    },
    addReading(call) {
      const device = deviceOf(call);
      if (!isValid(METERS, 'addReading', call.body)) {
        const at = (call.body as Thing | null)?.['at'];
        if (has('refused-reading-takes-instant') && typeof at === 'string') device.refusedInstants.add(at);
        throw new Refusal(400, 'invalid', 'The reading is not valid.');
      }
      const body = call.body as { at: string; watts: number; minutes: number };
      const instant = has('zone-ignored') ? body.at.replace(/([+-]\d\d:\d\d|z)$/i, 'Z') : body.at;
      const time = Date.parse(instant);
      if (Number.isNaN(time)) throw new Refusal(400, 'invalid', 'There is no such time.');
      const at = new Date(time).toISOString();
      if (device.readings.some((one) => one.at === at) || device.refusedInstants.has(body.at))
        throw new Refusal(409, 'duplicate_reading', 'There is a reading for this instant.');
      const energy = (body.watts * body.minutes) / 60;
      count += 1;
      const isHigh = body.watts > Number(device.fields['limit_w']);
      const alarm = isHigh ? raise(device, 'warning', undefined) : undefined;
      const reading: Reading = {
        id: count,
        device_id: device.id,
        at,
        watts: body.watts,
        minutes: body.minutes,
        energy_wh: has('energy-cut-off') ? Math.floor(energy * 10) / 10 : tenth(energy),
        alarm_id: alarm?.facts['id'] ?? null,
      };
      device.readings.push(reading);
      if (!has('reading-keeps-tag')) device.version += 1;
      return { status: 201, json: shownReading(reading) };
    },
    exportReadings(call) {
      const device = deviceOf(call);
      const lines = device.readings
        .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
        .map(
          ({ at, watts, minutes, energy_wh }) => `${at},${String(watts)},${String(minutes)},${energy_wh}\r\n`,
        );
      return {
        status: 200,
        headers: {
          'Content-Type': 'text/csv',
          'Content-Disposition': `attachment; filename="${device.id}.csv"`,
        },
        text: ['at,watts,minutes,energy_wh\r\n', ...lines].join(''),
      };
    },
    listAlarms(call) {
      const { account } = callerOf(call);
      const { state, severity, device_id: device } = call.query;
      const found = [...alarms.values()]
        .filter((alarm) => alarm.account === account || (has('device-filter-leaks') && device !== undefined))
        .filter(({ facts }) => state === undefined || facts['state'] === state)
        .filter(({ facts }) => severity === undefined || facts['severity'] === severity)
        .filter(({ facts }) => device === undefined || facts['device_id'] === device)
        .toSorted((a, b) => b.order - a.order);
      return pageOf(
        has,
        call,
        found.map(({ facts }) => facts),
        ({ id }) => String(id),
      );
    },
    raiseAlarm: (call) =>
      once(call, async () => {
        const { account } = callerOf(call);
        const body = validBody(call);
        if (body['note'] === 'nonsense') throw new Refusal(422, 'nonsense', 'The note says nothing.');
        await (body['note'] === 'slow' ? clock.sleep(1500) : pause(clock));
        const device = devices.get(String(body['device_id']));
        if (device === undefined || device.account !== account)
          throw new Refusal(404, 'not_found', 'There is no such device.');
        const alarm = raise(device, String(body['severity']), body['note']);
        return { answer: { status: 201, json: alarm.facts } };
      }),
    getAlarm(call) {
      const alarm = alarmOf(call);
      const list = call.header('If-None-Match');
      if (list !== undefined && hasTag(list, tagOfAlarm(alarm), true))
        return { status: 304, headers: { ETag: tagOfAlarm(alarm) } };
      return alarmAnswer(alarm);
    },
    acknowledgeAlarm(call) {
      const alarm = alarmOf(call, has('other-caller-acknowledges'));
      if (alarm.facts['state'] !== 'open') {
        if (has('second-acknowledgement-moves-time') && alarm.facts['state'] === 'acknowledged') {
          alarm.facts = { ...alarm.facts, acknowledged_at: now() };
          alarm.version += 1;
        }
        throw new Refusal(409, 'wrong_state', 'Only an open alarm can be acknowledged.');
      }
      change(alarm, { state: 'acknowledged', acknowledged_at: now() });
      return alarmAnswer(alarm);
    },
    resolveAlarm(call) {
      const alarm = alarmOf(call);
      const { resolution } = validBody(call);
      if (alarm.facts['state'] === 'resolved')
        throw new Refusal(409, 'wrong_state', 'The alarm is resolved already.');
      const wasOpen = alarm.facts['state'] === 'open';
      change(alarm, { state: 'resolved', resolved_at: now(), resolution });
      const answer = alarmAnswer(alarm);
      if (wasOpen && has('resolved-at-missing-from-open'))
        alarm.facts = { ...alarm.facts, resolved_at: null };
      return answer;
    },
    watchAlarm(call) {
      const alarm = alarmOf(call);
      return {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        stream: eventsOf(alarm, {
          has,
          isThere: () => alarms.get(String(alarm.facts['id'])) === alarm,
          signal: call.signal,
        }),
      };
    },
  };

  const add = (account: string, body: Thing, given?: string): Device => {
    const at = now();
    count += 1;
    const { name, kind, site, limit_w, tags = [] } = body;
    const device: Device = {
      id: given ?? `dev_${digest(`device ${count}`)}`,
      account,
      order: count,
      version: 1,
      fields: { name, kind, ...(site === undefined ? {} : { site }), limit_w, tags },
      created_at: at,
      updated_at: at,
      readings: [],
      refusedInstants: new Set(),
    };
    devices.set(device.id, device);
    return device;
  };
  const raise = (device: Device, severity: string, note: unknown, given?: string): Alarm => {
    count += 1;
    const alarm: Alarm = {
      account: device.account,
      order: count,
      version: 1,
      facts: {
        id: given ?? `alm_${digest(`alarm ${count}`)}`,
        device_id: device.id,
        severity,
        ...(note === undefined ? {} : { note }),
        state: 'open',
        raised_at: now(),
        acknowledged_at: null,
        resolved_at: null,
      },
      watchers: new Set(),
    };
    alarms.set(String(alarm.facts['id']), alarm);
    return alarm;
  };
  const change = (alarm: Alarm, facts: Thing): void => {
    alarm.facts = { ...alarm.facts, ...facts };
    alarm.version += 1;
    wake(alarm);
  };

  add('first', { name: 'Roof', kind: 'inverter', site: 'north', limit_w: 9000 }, ROOF);
  add('first', { name: 'Cellar', kind: 'battery', site: 'north', limit_w: 500 });
  add('first', { name: 'Gate', kind: 'charger', limit_w: 11_000, tags: ['public'] });
  raise(
    add('second', { name: 'Mill', kind: 'meter', limit_w: 80 }, OTHERS.device),
    'info',
    'noise',
    OTHERS.alarm,
  );

  return serve(METERS, {
    admit(call) {
      const { may } = callerOf(call);
      if (may === 'nothing' || (may === 'read' && call.method !== 'GET'))
        throw new Refusal(403, 'not_allowed', 'The key may not do this.');
    },
    handle(call) {
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(404, 'not_found');
      return handler(call);
    },
    refused: ({ status, code, message, headers }) => ({ status, headers, json: { code, message } }),
    always({ operation }, status): Record<string, string> {
      count += 1;
      if (has('unchanged-lacks-request-id') && status === 304 && operation === 'getAlarm') return {};
      return { 'Request-Id': `req-${count}` };
    },
  });
}
