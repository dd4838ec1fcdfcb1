import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { judgePage, pageRules } from '../wire/page-shape.ts';
import { operationOf } from '../wire/operation.ts';

const LIMITS = [
  'router.list.limit-default',
  'router.list.limit-zero',
  'router.list.limit-negative',
  'router.list.limit-honoured',
  'router.list.limit-clamped',
  'router.list.limit-clamped-huge',
] as const;

/** What every page of the catalogue promises, for any caller and any request. */
function* look(exchange: Exchange): Generator<Check | Observation> {
  if (exchange.status !== 200 || operationOf(exchange)?.is !== 'list') return;
  yield* unlessUnreadable(exchange, [...pageRules, ...LIMITS], lookAtPage(exchange));
}

function* lookAtPage(page: Exchange): Generator<Check> {
  yield* judgePage(page);
  const [, query = ''] = page.request.target.split(/\?(.*)/s);
  const asked = new URLSearchParams(query).getAll('limit');
  const promise = asked.length > 1 ? undefined : promiseFor(asked[0]);
  const got = member(page.json, 'limit');
  // A page without a limit violates another rule.
  if (promise === undefined || got === undefined) return;
  const [rule, limit] = promise;
  yield check(rule, page, got === limit, `limit ${limit} echoed`, `limit ${String(got)}`);
}

/**
 * Document 1, GET /v1/models, parameter limit: which limit a page echoes. The result for text that is not an
 * integer is not documented.
 */
function promiseFor(asked: string | undefined): readonly [(typeof LIMITS)[number], number] | undefined {
  if (asked === undefined) return ['router.list.limit-default', 20];
  if (!/^(?:0|-?[1-9]\d*)$/.test(asked)) return undefined;
  const value = Number(asked);
  if (value === 0) return ['router.list.limit-zero', 20];
  if (value < 0) return ['router.list.limit-negative', 20];
  if (value <= 100) return ['router.list.limit-honoured', value];
  return [Number.isSafeInteger(value) ? 'router.list.limit-clamped' : 'router.list.limit-clamped-huge', 100];
}

export const pages: Oracle = { api: 'router', judges: [...pageRules, ...LIMITS], look };
