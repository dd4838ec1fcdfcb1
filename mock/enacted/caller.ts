import { createHash } from 'node:crypto';
import { type Credentials, presented } from '../../engine/credentials.ts';
import { queryOf } from '../../engine/exchange.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import type { HeldByCaller } from '../control/api-control.ts';
import type { Behaviour, Call } from '../call/call.ts';
import { anonymous } from '../call/caller.ts';

/** Identifies the caller by a credential of the declared form. */
export function recognised(api: ServedApi): Behaviour {
  return (call, next) => {
    const operation = api.operations.find(({ id }) => id === call.operation?.id);
    if (operation === undefined) return next();
    const query = queryOf({ target: call.request.search });
    const credentials = presented(api, operation, webHeadersOf(call), query);
    if (credentials !== undefined) call.facts.caller = anonymous(callerId(credentials));
    return next();
  };
}

/** The number of running calls of each caller. */
export function heldCalls(calls: readonly Pick<Call, 'facts'>[]): Map<string, HeldByCaller> {
  const counts = new Map<string, number>();
  for (const { facts } of calls) {
    const { scope } = facts.caller ?? {};
    if (scope !== undefined) counts.set(scope, (counts.get(scope) ?? 0) + 1);
  }
  return new Map([...counts].map(([scope, count]) => [scope, { inFlight: { calls: count, cents: 0 } }]));
}

/** An id that distinguishes callers without revealing their credentials. */
export function callerId(credentials: Credentials): string {
  const text = JSON.stringify(credentials);
  if (text === '{}') return 'anybody';
  return `caller ${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** The headers of a call for the engine. */
export function webHeadersOf({ request }: Call): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    try {
      headers.append(name, value);
    } catch {
      // HTTP does not allow such a header, so no contract can require it.
    }
  }
  return headers;
}
