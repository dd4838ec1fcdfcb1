import type { Clock, Transport } from '../../../conformance/index.ts';
import { problemOf } from '../problem.ts';
import { isValid, Refusal, serve, textOf, type Call, type Thing } from '../wire.ts';
import { changeHandlers } from './changes.ts';
import { setHandlers } from './sets.ts';
import { storeOf, type Has } from './store.ts';
import { zoneHandlers, type Handler } from './zones.ts';

export const ZONES = textOf('zones/zones.openapi.yaml');
export const ZONES_SHEET = textOf('zones/zones.behaviour.yaml');

type Header = (name: string) => string | undefined;

const accounts = ['north', 'south'];

const callers = new Map([
  ['dns_north_5150', 'north'],
  ['token-of-north', 'north'],
  ['dns_south_5151', 'south'],
  ['token-of-south', 'south'],
  ['dns_suspended_5152', 'suspended'],
  ['token-of-a-suspended-account', 'suspended'],
]);

/** A server of zones, with the faults that are named. */
export function zonesServer(clock: Clock, faults: readonly string[] = []): Transport {
  const has: Has = (fault) => faults.includes(fault);
  const store = storeOf(clock, has);
  let answers = 0;

  const handlers: Readonly<Record<string, Handler>> = {
    ...zoneHandlers(store, clock, accounts, has),
    ...setHandlers(store, ZONES, has),
    ...changeHandlers(store, clock, has),
  };

  return serve(ZONES, {
    admit: ({ header, method }) => {
      const isKeyAsBearer = /^Bearer +dns_/i.test(header('Authorization') ?? '');
      if (isKeyAsBearer && method !== 'GET' && has('key-as-bearer-reads-only')) throw noCredential();
      if (callerOf(header) === 'suspended') throw new Refusal(403, 'suspended', 'The account is suspended.');
    },
    handle: (call) => {
      checkBody(call, has);
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      return handler(call, callerOf(call.header));
    },
    refused: (refusal) => problemOf(refusal),
    always: () => {
      answers += 1;
      return { 'X-Request-Id': `req-${String(answers)}` };
    },
  });
}

// --- internal ---

const reserved: Readonly<Record<string, string>> = {
  createZone: 'dnssec',
  changeZone: 'dnssec',
  addSet: 'geo',
  putSet: 'geo',
  changeSet: 'geo',
};

const noCredential = (): Refusal =>
  new Refusal(401, 'no_credential', 'A key or a token is needed.', { 'WWW-Authenticate': 'Bearer' });

/** The account that a call is from: what it sends has to be known, all of it. */
function callerOf(header: Header): string {
  const key = header('X-Api-Key');
  const authorization = header('Authorization');
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const found = [
    ...(key === undefined ? [] : [key.startsWith('dns_') ? callers.get(key) : undefined]),
    ...(authorization === undefined ? [] : [callers.get(bearer ?? '')]),
  ];
  const [caller] = found;
  if (caller === undefined || found.some((one) => one !== caller)) throw noCredential();
  return caller;
}

/** An import is judged by its list alone: each record set has a result of its own. */
function checkBody({ operation, body }: Call, has: Has): void {
  const sets = (body as Thing | undefined | null)?.['sets'];
  const isFine =
    operation === 'importSets'
      ? Array.isArray(sets) && sets.length >= 1 && sets.length <= 40
      : isValid(ZONES, operation, body);
  if (!isFine) throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
  const name = reserved[operation];
  if (name === undefined || !Object.hasOwn(body as Thing, name)) return;
  if ((body as Thing)[name] === null && has('reserved-null')) return;
  throw new Refusal(422, 'reserved', `${name} is reserved for a later version.`);
}
