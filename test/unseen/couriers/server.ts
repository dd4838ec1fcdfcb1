import type { Clock, Transport } from '../../../conformance/index.ts';
import { problemOf } from '../problem.ts';
import { isValid, Refusal, serve, textOf, type Answer, type Call, type Thing } from '../wire.ts';
import { accountsOf } from './addresses.ts';
import { deliveriesOf } from './deliveries.ts';

export const COURIERS = textOf('couriers/couriers.openapi.yaml');
export const COURIERS_SHEET = textOf('couriers/couriers.behaviour.yaml');

/** The same contract with room for so many deliveries that no suite comes near the bound. */
export const COURIERS_WITH_ROOM = COURIERS.replace('at most 6', 'at most 600');
export const COURIERS_WITH_ROOM_SHEET = COURIERS_SHEET.replace('most: 6', 'most: 600');

type Header = (name: string) => string | undefined;

const callers = new Map([
  ['key-of-the-shop', 'shop'],
  ['token-of-the-shop', 'shop'],
  ['key-of-the-bakery', 'bakery'],
  ['token-of-the-bakery', 'bakery'],
  ['key-of-a-courier', 'courier'],
]);

/** A server of couriers with some faults, and the most deliveries that a caller may have open. */
export function couriersServer(clock: Clock, faults: readonly string[] = [], most = 6): Transport {
  const has = (fault: string): boolean => faults.includes(fault);
  const deliveries = deliveriesOf(clock, has, most);
  const accounts = accountsOf(COURIERS, clock, has);
  let answers = 0;

  const handlers: Readonly<Record<string, (call: Call, owner: string) => Promise<Answer> | Answer>> = {
    orderDelivery: deliveries.order,
    listDeliveries: deliveries.list,
    getDelivery: deliveries.read,
    watchDelivery: deliveries.watch,
    cancelDelivery: deliveries.cancel,
    reassignDelivery: deliveries.reassign,
    openAccount: accounts.open,
    getAccount: accounts.read,
    addAddress: accounts.add,
    importAddresses: accounts.addMany,
    listAddresses: accounts.list,
    getAddress: accounts.readAddress,
    changeAddress: accounts.change,
    dropAddress: accounts.drop,
  };

  return serve(COURIERS, {
    admit: ({ header }) => {
      if (callerOf(header) === 'courier')
        throw new Refusal(403, 'wrong_role', 'A courier may not call this.');
    },
    handle: (call) => {
      checkBody(call);
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      return handler(call, callerOf(call.header));
    },
    refused: (refusal) => problemOf(refusal),
    always: (_, status): Record<string, string> => {
      answers += 1;
      if (status === 304 && has('request-id-lost-on-304')) return {};
      return { 'X-Request-Id': `request-${String(answers)}` };
    },
  });
}

// --- internal ---

/** The shop or the role that a call is from: what it sends has to be known, all of it. */
function callerOf(header: Header): string {
  const key = header('X-Api-Key');
  const authorization = header('Authorization');
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const found = [
    ...(key === undefined ? [] : [key.startsWith('key-') ? callers.get(key) : undefined]),
    ...(authorization === undefined ? [] : [token?.startsWith('token-') ? callers.get(token) : undefined]),
  ];
  const [caller] = found;
  if (caller === undefined || found.some((one) => one !== caller)) {
    throw new Refusal(401, 'no_credential', 'A key or a token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  return caller;
}

/** An import is judged by its list alone: each address has a result of its own. */
function checkBody({ operation, body }: Call): void {
  const list = (body as Thing | undefined | null)?.['addresses'];
  const isFine =
    operation === 'importAddresses'
      ? Array.isArray(list) && list.length >= 1 && list.length <= 20
      : isValid(COURIERS, operation, body);
  if (!isFine) throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
}
