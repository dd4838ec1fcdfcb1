import type { Clock, Transport } from '../../../conformance/index.ts';
import { Refusal, serve, textOf } from '../wire.ts';
import { accountCalls } from './accounts.ts';
import { recordedKeys } from './keys.ts';
import { postingCalls } from './postings.ts';
import { fill } from './seed.ts';
import { statementCalls } from './statements.ts';
import { emptyStore, type Handler, type Parts } from './store.ts';
import { transferCalls } from './transfers.ts';

export const LEDGERS = textOf('ledgers/ledgers.openapi.yaml');
export const LEDGERS_SHEET = textOf('ledgers/ledgers.behaviour.yaml');

const firms = new Map([
  ['token-of-the-mill', 'mill'],
  ['token-of-the-forge', 'forge'],
  ['token-of-a-closed-firm', 'closed'],
]);

/** A server of ledgers that keeps its contract, but for the faults that are named. */
export function ledgersServer(clock: Clock, faults: readonly string[] = []): Transport {
  const has = (fault: string): boolean => faults.includes(fault);
  const store = emptyStore(clock, has);
  fill(store, clock.now());
  /** With a fault, how many replays count as open transfers, by firm. */
  const miscounted = new Map<string, number>();
  const once = recordedKeys(clock, has, ({ operation }, owner) => {
    const isCounted = has('replay-counts-as-open') && operation === 'createTransfer';
    if (isCounted) miscounted.set(owner, (miscounted.get(owner) ?? 0) + 1);
  });
  const parts: Parts = { document: LEDGERS, clock, has, store, once };
  const handlers: Readonly<Record<string, Handler>> = {
    ...accountCalls(parts),
    ...postingCalls(parts),
    ...statementCalls(parts),
    ...transferCalls(parts, miscounted),
  };
  let answers = 0;

  return serve(LEDGERS, {
    admit: ({ operation, header }) => {
      if (firmOf(header) !== 'closed') return;
      if (has('closed-firm-lists-transfers') && operation === 'listTransfers') return;
      throw new Refusal(403, 'firm_closed', 'The books of the firm are closed.');
    },
    handle: (call) => {
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      store.settle(clock.now());
      return handler(call, firmOf(call.header));
    },
    refused: ({ status, code, message, headers }) => ({
      status,
      headers,
      json: { error: { status, code, message } },
    }),
    always: () => {
      answers += 1;
      return { 'X-Request-Id': `req-${String(answers).padStart(6, '0')}` };
    },
  });
}

// --- internal ---

/** The firm that a call is from. */
function firmOf(header: (name: string) => string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(header('Authorization') ?? '')?.[1];
  const firm = firms.get(token ?? '');
  if (firm === undefined) {
    throw new Refusal(401, 'no_credential', 'A token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  return firm;
}
