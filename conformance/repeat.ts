import { curlLine } from './curl-scripts.ts';
import { replayCommand } from './typed-command.ts';
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
    replay: replayCommand('report.json', exchange.id, origin),
    curl: curlLine(exchange, origin),
  };
}
