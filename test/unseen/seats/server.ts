import type { Clock, Transport } from '../../../conformance/index.ts';
import { problemOf } from '../problem.ts';
import { Refusal, serve, textOf, type Answer, type Call } from '../wire.ts';
import { bookingCalls } from './bookings.ts';
import { recordedKeys } from './keys.ts';
import { queueCalls } from './queue.ts';
import { showCalls } from './shows.ts';
import { emptyStore, fill } from './store.ts';

export const SEATS = textOf('seats/seats.openapi.yaml');
export const SEATS_SHEET = textOf('seats/seats.behaviour.yaml');

const theatres = new Map([
  ['token-of-the-opera', 'opera'],
  ['token-of-the-puppets', 'puppets'],
  ['token-of-a-suspended-theatre', 'suspended'],
]);

/** A server of seats that keeps its contract, but for the faults that are named. */
export function seatsServer(clock: Clock, faults: readonly string[] = []): Transport {
  const has = (fault: string): boolean => faults.includes(fault);
  const store = emptyStore();
  fill(store, clock.now());
  const parts = { document: SEATS, clock, has, store, once: recordedKeys(clock, has) };
  const handlers: Readonly<Record<string, (call: Call, owner: string) => Promise<Answer> | Answer>> = {
    ...showCalls(parts),
    ...bookingCalls(parts),
    ...queueCalls(parts),
  };
  let answers = 0;

  return serve(SEATS, {
    admit: ({ header }) => {
      if (theatreOf(header) === 'suspended') throw new Refusal(403, 'suspended', 'The theatre is suspended.');
    },
    handle: (call) => {
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      return handler(call, theatreOf(call.header));
    },
    refused: (refusal) => problemOf(refusal),
    always: () => {
      answers += 1;
      return { 'X-Request-Id': `req-${String(answers)}` };
    },
  });
}

// --- internal ---

/** The theatre that a call is from. */
function theatreOf(header: (name: string) => string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(header('Authorization') ?? '')?.[1];
  const theatre = theatres.get(token ?? '');
  if (theatre === undefined) {
    throw new Refusal(401, 'no_credential', 'A token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  return theatre;
}
