import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isObject, isSuccess, parseJson, sentPath } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Oracle } from '../../oracle.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { strongTagOf } from './conditional-matches.ts';
import { isSameValue } from './differing-members.ts';
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
  /** Other calls at the address of the thing, or below it. */
  readonly others: Exchange[];
}

/**
 * A change that a read shows gives the thing another tag. The policy is that of the read, or of one change. Compared are the state,
 * the members that a change has sent, and, after any other call at the address of the thing or below it, those that two reads
 * without a call between them have shown alike: others may be another value in each answer.
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
  const isOfRead = operation?.id === reader.id;
  const states = isOfRead ? lifecyclesShown(api, reader).map(({ property }) => property) : [];
  if (changers.size === 0 && !isOfRead) return [];
  return facts.oracle(['changed'], {
    follow: () => {
      const last = new Map<string, LastRead>();
      const steady = new SteadyMembers();
      return function* (exchange) {
        if (!isSuccess(exchange)) return;
        const path = sentPath(exchange);
        const place = `${exchange.request.as} ${path}`;
        const before = last.get(place);
        if (changers.has(exchange.operation ?? '')) before?.changes.push(exchange);
        else if (isOfRead && !isReading(exchange))
          for (const [, about] of last)
            if (isAtOrBelow(path, sentPath(about.seen))) about.others.push(exchange);
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
        const called = [...(before?.changes ?? []), ...(before?.others ?? [])];
        if (called.some(({ endedAt }) => endedAt > seen.startedAt)) return;
        if (last.size > MOST_THINGS) last.clear();
        last.set(place, { seen, tag, shown, changes: [], others: [] });
        if (before === undefined) return;
        if (called.length === 0) steady.compare(before.shown, shown);
        if (before.tag !== tag) return;
        const moved = states.find((path) => !isSameValue(at(before.shown, path), at(shown, path)));
        if (moved !== undefined)
          yield* facts.judge(
            'changed',
            [before.seen, seen],
            false,
            `another ETag than before, because ${moved} is ${String(at(shown, moved))}`,
            tag,
          );
        for (const change of before.changes) {
          const name = membersOf(change).find((one) => !isSameValue(before.shown[one], shown[one]));
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
        const [other] = before.others;
        const name = other && steady.differing(before.shown, shown);
        if (other === undefined || name === undefined) return;
        yield* facts.judge(
          'changed',
          [before.seen, ...before.others.slice(0, MOST_SHOWN), seen],
          false,
          `another ETag than before, because ${name} is another one after ${other.request.method} ${other.request.target}`,
          tag,
        );
      }
    },
  });
}

// --- internal ---

/** How many things are remembered. */
const MOST_THINGS = 5_000;

/** How many calls a judgement shows. */
const MOST_SHOWN = 3;

/** The members that reads show alike while nothing is called. */
class SteadyMembers {
  readonly #seen = new Set<string>();
  readonly #restless = new Set<string>();

  /** Two reads of a thing, one after the other. */
  compare(one: LastRead['shown'], other: LastRead['shown']): void {
    for (const name of membersIn(one, other))
      (isSameValue(one[name], other[name]) ? this.#seen : this.#restless).add(name);
  }

  /** A steady member that differs; `undefined` for none. */
  differing(one: LastRead['shown'], other: LastRead['shown']): string | undefined {
    return membersIn(one, other).find(
      (name) =>
        this.#seen.has(name) &&
        !this.#restless.has(name) &&
        !PASSING.test(name) &&
        !isSameValue(one[name], other[name]),
    );
  }
}

/** Members that may change with the time, although two reads in a row are alike. */
const PASSING =
  /remain|elapsed|uptime|seconds|viewed|accessed|last_?(?:seen|read|used)|(?:^|_)(?:age|now|left|in)$/i;

function membersIn(one: LastRead['shown'], other: LastRead['shown']): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function isReading({ request: { method } }: Exchange): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method);
}

function isAtOrBelow(path: string, own: string): boolean {
  return path === own || path.startsWith(`${own}/`);
}

function membersOf({ request: { body } }: Exchange): readonly string[] {
  const sent = parseJson(new TextDecoder().decode(body));
  return isObject(sent) ? Object.keys(sent) : [];
}
