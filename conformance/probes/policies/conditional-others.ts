import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { inputFor } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import { asking, hasChanged, judgeMatches, tagOf } from './conditional-matches.ts';
import type { ConditionalFacts as Facts } from './conditional-matches.ts';

/** Those of another thing: the matches, a tag of its own making, and one crosswise. */
export const MOST_OTHER = 12;

/** The same of another thing, if the fixtures name one: a tag belongs to the answer that it came with. */
export async function* judgeOther(
  facts: Facts,
  session: Session,
  own: { readonly input: SendOptions; readonly first: Exchange; readonly values: Values },
): AsyncGenerator<Check> {
  const { api, operation, policy } = facts;
  const { parameters } = callsOn('other', operation.id, session.fixtures)[0] ?? {};
  if (parameters === undefined) return;
  const input = inputFor(api, operation, session, { ...own.values, ...parameters });
  const held = await session.send('other', input);
  const tag = tagOf(held);
  if (!isSuccess(held) || tag === undefined || held.request.target === own.first.request.target) return;
  const ask = asking(session, 'other', input);
  const exact = await ask(tag);
  if (!hasChanged(exact, tag)) yield* judgeMatches(facts, ask, { tag, exact });
  const far = await ask('"tallystick-other"');
  const judge = (seen: Exchange, expected: string): Generator<Check> =>
    facts.judge('changed', [held, seen], seen.status !== policy.status, expected, sketchAnswer(seen));
  yield* judge(far, 'the whole answer, to a tag that it never had');
  if (tag === own.first.header('etag')) return;
  const crossed = await asking(session, 'other', own.input)(tag);
  yield* judge(crossed, 'the whole answer, to the tag of another thing');
}

/** The condition of another caller, who may read it too, and maybe sees something else there. */
export async function* judgeByOther(
  facts: Facts,
  session: Session,
  input: SendOptions,
): AsyncGenerator<Check> {
  const held = await session.send('byOther', input);
  const tag = tagOf(held);
  if (!isSuccess(held) || tag === undefined) return;
  const seen = await asking(session, 'byOther', input)(tag);
  if (hasChanged(seen, tag)) return;
  const what = `to If-None-Match: ${tag}, by the caller who was given it`;
  yield* facts.status('current', seen, facts.policy.status, what);
}
