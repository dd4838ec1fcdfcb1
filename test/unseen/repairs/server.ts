import type { Clock, Transport } from '../../../conformance/index.ts';
import { problemOf } from '../problem.ts';
import { Refusal, serve, textOf } from '../wire.ts';
import { recordedKeys } from './keys.ts';
import { noteCalls } from './notes.ts';
import { partCalls } from './parts.ts';
import { bodyCheck, Problem } from './places.ts';
import { seed } from './seed.ts';
import { storeOf } from './store.ts';
import { ticketCalls } from './tickets.ts';

export const REPAIRS = textOf('repairs/repairs.openapi.yaml');
export const REPAIRS_SHEET = textOf('repairs/repairs.behaviour.yaml');

type Header = (name: string) => string | undefined;

const keys = new Map([
  ['sk_north_4711', 'north'],
  ['sk_south_0815', 'south'],
  ['sk_closed_0000', 'closed'],
]);
const tokens = new Map([
  ['token-of-the-north', 'north'],
  ['token-of-the-south', 'south'],
]);

/** A server of repairs with some faults. */
export function repairsServer(clock: Clock, faults: readonly string[] = []): Transport {
  const has = (fault: string): boolean => faults.includes(fault);
  const store = storeOf(clock, has);
  seed(store);
  const once = recordedKeys(clock, has);
  const handlers = { ...ticketCalls(store, once), ...partCalls(store, once), ...noteCalls(store) };
  const checkBody = bodyCheck(REPAIRS, has);
  let answers = 0;

  return serve(REPAIRS, {
    admit: ({ operation, header }) => {
      if (operation === 'putFile') return;
      if (callerOf(header) === 'closed') throw new Refusal(403, 'closed', 'The chain is closed.');
    },
    handle: (call) => {
      checkBody(call);
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      return handler(call, call.operation === 'putFile' ? '' : callerOf(call.header));
    },
    refused: (refusal) => problemOf(refusal, refusal instanceof Problem ? refusal.more : {}),
    always: ({ operation }, status): Record<string, string> => {
      answers += 1;
      if (has('upload-without-request-id') && operation === 'putFile' && status === 204) return {};
      return { 'X-Request-Id': `request-${String(answers)}` };
    },
  });
}

// --- internal ---

/** The chain that a call is from: what it sends has to be known, all of it. */
function callerOf(header: Header): string {
  const key = header('X-Shop-Key');
  const authorization = header('Authorization');
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const found = [
    ...(key === undefined ? [] : [keys.get(key)]),
    ...(authorization === undefined ? [] : [keys.get(bearer) ?? tokens.get(bearer)]),
  ];
  const [caller] = found;
  if (caller === undefined || found.some((one) => one !== caller)) {
    throw new Refusal(401, 'no_credential', 'A key or a token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  return caller;
}
