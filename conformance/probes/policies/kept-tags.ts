import { canonical } from '../../../contract/canonical-json.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { at, isObject, isSuccess, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Oracle } from '../../oracle.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { strongTagOf } from './conditional-matches.ts';
import type { Facts } from './facts.ts';
import { lifecyclesShown } from './shown-lifecycle.ts';
import { thingsBy } from './things.ts';

type Policy = PolicyOf<'conditional-get'> | PolicyOf<'conditional-write'>;

/** A read of a thing, and the changes of it since then. */
interface LastRead {
  readonly seen: Exchange;
  readonly tag: string;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly changes: Exchange[];
}

/**
 * A change that a read shows gives the thing another tag. The policy is that of the read, or of one change. Only the state and
 * members that the change has sent are compared: others may be another value in each answer.
 */
export function keptTags(facts: Facts<Policy>, reader: Operation | undefined): readonly Oracle[] {
  const { api, operation } = facts;
  const things = reader && thingsBy(api, 'read', reader);
  if (things === undefined || reader === undefined) return [];
  const changers = new Set(
    (['patch', 'replace'] as const)
      .flatMap((role) => things.operation(role)?.id ?? [])
      .filter((id) => operation === reader || operation?.id === id),
  );
  const states =
    operation?.id === reader.id ? lifecyclesShown(api, reader).map(({ property }) => property) : [];
  if (changers.size === 0 && states.length === 0) return [];
  return facts.oracle(['changed'], {
    follow: () => {
      const last = new Map<string, LastRead>();
      return function* (exchange) {
        if (!isSuccess(exchange)) return;
        const place = `${exchange.request.as} ${exchange.request.target.split('?')[0] ?? ''}`;
        const before = last.get(place);
        if (changers.has(exchange.operation ?? '')) before?.changes.push(exchange);
        if (exchange.operation === reader.id)
          yield* unlessUnreadable(exchange, facts.ids('changed'), judge(exchange, place, before));
      };

      function* judge(
        seen: Exchange,
        place: string,
        before: LastRead | undefined,
      ): ReturnType<typeof facts.judge> {
        const [tag, shown] = [strongTagOf(seen), things?.shownIn(seen)];
        if (tag === undefined || shown === undefined) return;
        if (before?.changes.some(({ endedAt }) => endedAt > seen.startedAt) === true) return;
        if (last.size > MOST_THINGS) last.clear();
        last.set(place, { seen, tag, shown, changes: [] });
        if (before === undefined || before.tag !== tag) return;
        const moved = states.find((path) => isOther(at(before.shown, path), at(shown, path)));
        if (moved !== undefined)
          yield* facts.judge(
            'changed',
            [before.seen, seen],
            false,
            `another ETag than before, because ${moved} is ${String(at(shown, moved))}`,
            tag,
          );
        for (const change of before.changes) {
          const name = membersOf(change).find((one) => isOther(before.shown[one], shown[one]));
          if (name === undefined) continue;
          yield* facts.judge(
            'changed',
            [before.seen, change, seen],
            false,
            `another ETag than before, because ${name} is another one`,
            tag,
          );
          return;
        }
      }
    },
  });
}

// --- internal ---

/** How many things are remembered. */
const MOST_THINGS = 5_000;

function membersOf({ request: { body } }: Exchange): readonly string[] {
  const sent = parseJson(new TextDecoder().decode(body));
  return isObject(sent) ? Object.keys(sent) : [];
}

function isOther(one: unknown, other: unknown): boolean {
  return canonical((one ?? null) as Json) !== canonical((other ?? null) as Json);
}
