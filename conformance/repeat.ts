import { shellWord, typed } from '../contract/index.ts';
import { curlLine } from './curl-scripts.ts';
import type { Report, RuleResult, StoredExchange } from './report.ts';

/** Where an exchange was sent. */
export function originOf({ api }: Pick<StoredExchange, 'api'>, target: Report['target']): string {
  const { origins = {}, baseUrl } = target;
  const address = Object.hasOwn(origins, api) ? origins[api] : undefined;
  return new URL(address ?? baseUrl).origin;
}

/**
 * The command that sends one exchange of a report again. The address is part of it: whoever runs it says where the secret
 * may go.
 */
export function replayCommand(report: string, exchange: string, origin: string): string {
  return typed(`conform replay ${shellWord(report)} ${exchange} --base-url ${origin}`);
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
