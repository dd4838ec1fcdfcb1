import type { Clock } from '../../../conformance/index.ts';
import { pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { singleKeys } from './keys.ts';
import { pageOf } from './pages.ts';
import { cancel, picked } from './store.ts';
import type { Change, Has, Store, Zone } from './store.ts';
import type { Handler } from './zones.ts';

const members = ['set', 'type', 'records', 'ttl', 'delay_seconds'];
const mostPending = 4;

/** The calls about changes that are made at a later time, by operation. */
export function changeHandlers(store: Store, clock: Clock, has: Has): Readonly<Record<string, Handler>> {
  const byKey = singleKeys(clock, has);
  let last = 0;

  const foundChange = (zone: Zone, call: Call): Change => {
    const change = store.changes.find((one) => one.zone === zone && one.id === call.path['changeId']);
    if (change === undefined) throw new Refusal(404, 'not_found', 'There is no such change.');
    return change;
  };

  const submit = async (call: Call, owner: string): Promise<Answer> => {
    await pause(clock);
    const zone = store.found(call, owner);
    store.checkOpen(zone);
    if (store.pendingOf(owner) >= mostPending)
      throw new Refusal(409, 'too_many_pending', `At most ${String(mostPending)} changes can be pending.`);
    const body = picked(call.body as Thing, members) as Change['values'];
    const values = { ttl: 3600, delay_seconds: 10, ...body };
    last += 1;
    const change: Change = {
      id: `chg_${String(last)}`,
      zone,
      values,
      submitted: clock.now(),
      due: clock.now() + values.delay_seconds * 1000,
      state: 'pending',
      endedAt: '',
      outcome: '',
    };
    store.changes.push(change);
    const Location = `/zones/${zone.id}/changes/${change.id}`;
    return { status: 202, headers: { Location }, json: shown(change) };
  };

  const list: Handler = (call, owner) => {
    const zone = store.found(call, owner);
    const { state } = call.query;
    const items = store.changes
      .filter((one) => one.zone === zone && (state === undefined || one.state === state))
      .map(shown);
    if (has('listed-outcome-null')) for (const one of items) one['outcome'] ??= null;
    return pageOf(call, items, { path: `/zones/${zone.id}/changes`, kept: ['state'], has });
  };

  return {
    listChanges: list,
    submitChange: (call, owner) => byKey(call, owner, () => submit(call, owner)),
    getChange: (call, owner) => ({ status: 200, json: shown(foundChange(store.found(call, owner), call)) }),
    cancelChange: (call, owner) => {
      const change = foundChange(store.found(call, owner), call);
      if (change.state !== 'pending') throw new Refusal(409, 'wrong_state', `The change is ${change.state}.`);
      cancel(change, store.now());
      return { status: 200, json: shown(change) };
    },
  };
}

// --- internal ---

const shown = ({ id, zone, values, submitted, due, state, endedAt, outcome }: Change): Thing => ({
  id,
  zone_id: zone.id,
  ...values,
  state,
  submitted_at: new Date(submitted).toISOString(),
  due_at: new Date(due).toISOString(),
  ...(state === 'pending' ? {} : { [`${state}_at`]: endedAt, outcome }),
});
