import { makeExchange } from '../exchanges/exchange.ts';
import type { Exchange, SentRequest } from '../exchanges/exchange.ts';
import { foreignOf } from '../exchanges/foreign.ts';
import { complete } from '../http/receive.ts';
import type { RequestHost } from '../sessions/request-host.ts';

/** The time limit of a control, in milliseconds. */
const LONGEST_MS = 10_000;

/** Sends a read whose answer shows the state of the server, not of a rule. */
export async function control(
  host: RequestHost,
  { api, request }: { readonly api: string; readonly request: SentRequest },
): Promise<Exchange> {
  const { clock, signal } = host;
  // Only reads, so nothing is billed.
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
  if (foreignOf(exchange) !== undefined) host.excludeFromOracles?.([id]);
  return exchange;
}
