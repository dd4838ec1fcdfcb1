import { quiet } from '../http/abortable.ts';
import { READ_TIMEOUT_MS } from '../http/receive.ts';
import type { Resource, Session } from '../scenarios/scenario.ts';
import { isKnown } from '../target/target.ts';
import { race } from './race.ts';
import { RequestSender } from './request-sender.ts';
import { send } from './send.ts';
import type { SessionHost, SessionOwner } from './session-host.ts';
import { watch } from './watch.ts';

/** Opens the access to the server for one scenario or resource: only declared requests are sent. */
export function openSession(host: SessionHost, owner: SessionOwner, signal: AbortSignal): Session {
  const { target, health } = host;
  const sender = new RequestSender(host, owner, signal);
  return {
    watch: (name, options) => quiet(watch(sender, name, options)),
    send: (name, options) => quiet(send(sender, name, options)),
    race: (name, options) =>
      quiet(
        race(
          sender,
          options.map((one) => ({ name, options: one })),
        ),
      ),
    together: (requests) => quiet(race(sender, requests)),
    obtain: (wanted) => obtain(host, wanted, signal),
    fixtures: target.fixturesOf(owner.api),
    clock: sender.clock,
    requestBody: target.requestBody,
    fuzz: host.fuzz ?? 0,
    explore: host.explore ?? 0,
    lostCalls: () => health?.lostCalls(owner.api) ?? [],
    knows: (as) => isKnown(target, as),
    leavesOut: (operation) => target.leftOut.operation(owner.api, operation) !== undefined,
    startCourse: () => {
      sender.startCourse();
    },
    freshKey: host.freshKey,
    random: host.random(owner.id),
    deadlineMs: target.deadlineMs,
    readTimeoutMs: host.readTimeoutMs ?? READ_TIMEOUT_MS,
  };
}

// --- internal ---

/** Resources are reads that many scenarios share; the first one that needs them sends them. */
function obtain<Value>(host: SessionHost, wanted: Resource<Value>, signal: AbortSignal): Promise<Value> {
  let value = host.obtained.get(wanted.id) as Promise<Value> | undefined;
  if (value === undefined) {
    const { id, api, requests } = wanted;
    // It is not cancelled together with the scenario that happened to request it first.
    const session = openSession(
      host,
      { id, api, requests, mayPost: false, extend: host.extendAll },
      host.health === undefined
        ? host.signal
        : AbortSignal.any([host.signal, host.health.signalOf(host, api)]),
    );
    value = quiet(wanted.obtain(session));
    host.obtained.set(wanted.id, value);
  }
  signal.throwIfAborted();
  return value;
}
