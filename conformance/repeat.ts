import { curlLine } from './curl-scripts.ts';
import type { Report, RuleResult, StoredExchange } from './report.ts';

/** Where an exchange was sent. */
export function originOf({ api }: Pick<StoredExchange, 'api'>, target: Report['target']): string {
  const { origins = {}, baseUrl } = target;
  const address = Object.hasOwn(origins, api) ? origins[api] : undefined;
  return new URL(address ?? baseUrl).origin;
}

/** How to see an exchange again; `undefined` where there is none. */
export function repeatOf(
  exchange: StoredExchange | undefined,
  target: Report['target'],
): RuleResult['repeat'] {
  if (exchange === undefined) return undefined;
  const origin = originOf(exchange, target);
  return {
    // The address is part of the command: whoever runs it says where the secret may go.
    replay: `tallystick conform replay report.json ${exchange.id} --base-url ${origin}`,
    curl: curlLine(exchange, origin),
  };
}
