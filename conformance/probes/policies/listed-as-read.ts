import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { isAfter, isObject, isSuccess, sentPath } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { Oracle } from '../../oracle.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { itemsIn } from '../document/ids.ts';
import { isRead } from '../own-api.ts';
import { isSameValue, shownSchema } from './differing-members.ts';
import type { OperationFacts } from './facts.ts';
import { isSameStored } from './lifecycle-members.ts';
import { itemSchema } from './resource-lists.ts';
import type { Things } from './things.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A read of a thing, and how lists after it show the thing. */
interface Known {
  readonly seen: Exchange;
  readonly shown: Shown;
  readonly listed: { readonly seen: Exchange; readonly item: Shown }[];
}

/**
 * What a list shows of a thing is what reads show that come before and after it, where these are alike, and nothing was called
 * between one of them and the list. Only if the document has one schema for both: then an item is no summary.
 */
export function listedAsRead(facts: OperationFacts<PolicyOf<'resource'>>, things: Things): readonly Oracle[] {
  const { api, operation: list } = facts;
  const reader = things.operation('read');
  const listed = itemSchema(facts, things);
  if (reader === undefined || listed === undefined || reader === list) return [];
  const isBelowList = reader.path.startsWith(`${list.path}/`);
  return facts.oracle(['listed'], {
    follow: () => {
      let scenario = '';
      const known = new Map<string, Known>();
      const changes: Exchange[] = [];
      return function* (exchange) {
        // What one scenario makes, no other one changes.
        if (exchange.scenario !== scenario || changes.length > MOST_CALLS) {
          scenario = exchange.scenario;
          known.clear();
          changes.length = 0;
        }
        const operation = api.operation(exchange.operation ?? '');
        if (operation === undefined || !isRead(operation)) changes.push(exchange);
        else if (operation === list && isSuccess(exchange)) take(exchange);
        else if (operation === reader && isSuccess(exchange))
          yield* unlessUnreadable(exchange, facts.ids('listed'), judge(exchange));
      };

      function take(exchange: Exchange): void {
        for (const item of itemsIn(list, exchange.json) ?? []) {
          const before = known.get(`${exchange.request.as} ${String(things.idIn(item))}`);
          if (before === undefined || !isObject(item) || before.listed.length >= MOST_LISTS) continue;
          // Below another thing, there can be one with the same id.
          const isOwn = !isBelowList || sentPath(before.seen).startsWith(`${sentPath(exchange)}/`);
          if (isOwn) before.listed.push({ seen: exchange, item });
        }
      }

      function* judge(exchange: Exchange): ReturnType<typeof facts.judge> {
        const shown = things.shownIn(exchange);
        const own = shownSchema(api, reader as Operation, exchange, things.roles.item);
        if (shown === undefined || followed(api.root, own) !== followed(api.root, listed)) return;
        const id = things.idIn(shown);
        if (id === undefined) return;
        const place = `${exchange.request.as} ${String(id)}`;
        const before = known.get(place);
        known.set(place, { seen: exchange, shown, listed: [] });
        if (before === undefined || sentPath(before.seen) !== sentPath(exchange)) return;
        for (const { seen, item } of before.listed) {
          const isApart = isAfter(seen, before.seen) && isAfter(exchange, seen);
          if (!isApart || !(isQuiet(before.seen, seen) || isQuiet(seen, exchange))) continue;
          const name = Object.keys(item).find(
            (one) =>
              Object.hasOwn(shown, one) &&
              isSameValue(before.shown[one], shown[one]) &&
              !isShownAs(item[one], shown[one]),
          );
          if (name === undefined) continue;
          yield* facts.judge(
            'listed',
            [before.seen, seen, exchange],
            false,
            `a list with ${name} as reads before and after it show it: ${sketch(shown[name])}`,
            sketch(item[name]),
          );
          return;
        }
      }

      function isQuiet(from: Exchange, to: Exchange): boolean {
        return changes.every((change) => isAfter(from, change) || isAfter(change, to));
      }
    },
  });
}

// --- internal ---

/** How many calls are remembered, and how many lists between two reads of one thing. */
const MOST_CALLS = 1_000;
const MOST_LISTS = 5;

/**
 * Whether an item shows a value: a list may shorten a text and a list, show a time with fewer digits, and leave out members of
 * what is inside a thing.
 */
function isShownAs(listed: unknown, read: unknown): boolean {
  if (typeof listed === 'string' && typeof read === 'string')
    return isShortened(listed, read) || isSameStored(listed, read);
  if (Array.isArray(listed) && Array.isArray(read))
    return listed.every((one) => read.some((other) => isShownAs(one, other)));
  if (isObject(listed) && isObject(read))
    return Object.keys(listed).every(
      (name) => !Object.hasOwn(read, name) || isShownAs(listed[name], read[name]),
    );
  return isSameValue(listed, read);
}

function isShortened(listed: string, read: string): boolean {
  const begin = listed.replace(/(?:\.{3}|…)$/, '');
  return (begin !== listed || listed.length >= SHORTENED) && read.startsWith(begin);
}

const SHORTENED = 20;
