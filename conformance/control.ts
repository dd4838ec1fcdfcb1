import { makeExchange } from './exchange.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { foreignOf } from './foreign.ts';
import { complete } from './receive.ts';
import type { RequestHost } from './request-host.ts';

/** A control waits no longer than this, in milliseconds. */
const LONGEST_MS = 10_000;

/** Sends a read of which the answer tells something about the server and not about a rule. */
export async function control(
  host: RequestHost,
  { api, request }: { readonly api: string; readonly request: SentRequest },
): Promise<Exchange> {
  const { clock, signal } = host;
  // Reads alone: nothing of it is billed.
  const id = host.nextId({ method: 'GET', as: 'none' });
  const startedAt = clock.now();
  const received = await complete(host.transportTo(api), request, {
    clock,
    timeoutMs: Math.min(host.readTimeoutMs ?? LONGEST_MS, LONGEST_MS),
    signals: [signal],
    take: (bytes) => host.memory?.take(id, bytes),
  });
  const parts = { id, api, scenario: 'server.control', request, ...received, startedAt };
  const exchange = makeExchange({ ...parts, endedAt: clock.now() }, host.memory);
  host.keep(exchange);
  if (foreignOf(exchange) !== undefined) host.markStrange?.([id]);
  return exchange;
}
