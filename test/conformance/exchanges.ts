import { makeExchange } from '../../conformance/exchanges/exchange.ts';
import type { Exchange, ResponseFault } from '../../conformance/exchanges/exchange.ts';

/** An exchange with a read of the catalogue; without a status it has no answer. */
export function exchangeOf(parts: {
  readonly id: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly api?: string;
  readonly method?: string;
  readonly target?: string;
  readonly as?: string;
  readonly failure?: string;
  readonly fault?: ResponseFault;
  readonly begun?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}): Exchange {
  const { id, status, headers = {}, body = '', api = 'router', method = 'GET', as = 'valid' } = parts;
  const { target = '/v1/models', failure, fault, begun, startedAt = 0, endedAt = 1 } = parts;
  return makeExchange({
    id,
    api,
    scenario: 'scenario',
    request: { method, target, headers: [], body: undefined, as },
    answer:
      status === undefined
        ? undefined
        : {
            status,
            headers: Object.entries(headers),
            body: new TextEncoder().encode(body),
            informational: [],
          },
    failure,
    fault,
    begun,
    startedAt,
    endedAt,
  });
}
