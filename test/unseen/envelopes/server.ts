import type { Clock, Transport } from '../../../conformance/index.ts';
import { problemOf } from '../problem.ts';
import { Refusal, serve, textOf } from '../wire.ts';
import { envelopeCalls } from './envelopes.ts';
import { keysOf } from './keys.ts';
import { seed } from './seed.ts';
import { signerCalls } from './signers.ts';
import { Store } from './store.ts';
import { templateCalls } from './templates.ts';

export const ENVELOPES = textOf('envelopes/envelopes.openapi.yaml');
export const ENVELOPES_SHEET = textOf('envelopes/envelopes.behaviour.yaml');

const accounts = new Map([
  ['token-of-the-harbour', 'harbour'],
  ['token-of-the-orchard', 'orchard'],
  ['token-of-the-lighthouse', 'suspended'],
]);

/** A server of envelopes with some faults. */
export function envelopesServer(clock: Clock, faults: readonly string[] = []): Transport {
  const store = new Store(clock, (fault) => faults.includes(fault));
  let answers = 0;
  const requestId = (): string => {
    answers += 1;
    return `request-${String(answers)}`;
  };
  const keyed = keysOf(store, requestId);
  const handlers = {
    ...templateCalls(ENVELOPES, store, keyed),
    ...envelopeCalls(ENVELOPES, store, keyed),
    ...signerCalls(ENVELOPES, store),
  };
  seed(store);

  return serve(ENVELOPES, {
    admit: ({ header }) => {
      if (ownerOf(header) === 'suspended') throw new Refusal(403, 'suspended', 'The account is suspended.');
    },
    handle: (call) => {
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      return handler(call, ownerOf(call.header));
    },
    refused: (refusal) => problemOf(refusal),
    always: () => ({ 'X-Request-Id': requestId() }),
  });
}

// --- internal ---

/** The account that a call is from. */
function ownerOf(header: (name: string) => string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(header('Authorization') ?? '')?.[1];
  const owner = accounts.get(token ?? '');
  if (owner === undefined) {
    throw new Refusal(401, 'no_credential', 'A token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  return owner;
}
