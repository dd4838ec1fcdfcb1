import type { Parameter } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check, RequestPlans, SendOptions, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { inputFor } from '../document/input.ts';
import { valueKey } from '../document/value-key.ts';
import { documentedValues } from '../document/values.ts';
import type { Values } from '../own-api.ts';
import { kindsOf } from './accepted-credentials.ts';
import { asking, hasChanged, judgeMatches, tagOf } from './conditional-matches.ts';
import type { ConditionalFacts as Facts } from './conditional-matches.ts';

/** The requests about another thing, and those of other callers. */
export function plansOfOthers(facts: Facts): RequestPlans {
  const { api, operation } = facts;
  const usual = api.callerOf(operation);
  return {
    other: api.plan(operation, { times: MOST_OTHER }),
    // A server may refuse a value that the document allows.
    selected: api.plan(operation, { times: 2 * MOST_SELECTED, isInvalid: true }),
    ...Object.fromEntries(
      callersBeside(facts).map((as) => [
        `by ${as}`,
        api.plan(operation, { as, times: 2, isOptional: true, judgesCredential: true }),
      ]),
    ),
    ...(usual === 'none'
      ? {}
      : { anonymous: api.plan(operation, { as: 'none', times: 2, isInvalid: true }) }),
  };
}

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

/** The same read with an optional parameter, such as one that selects members or that waits: its answer has a tag as well. */
export async function* judgeSelected(facts: Facts, session: Session, values: Values): AsyncGenerator<Check> {
  const { api, operation, policy } = facts;
  for (const parameter of optionalOf(facts)) {
    const [first] = documentedValues(api, parameter);
    if (first === undefined) continue;
    // A read may wait for so many seconds.
    const isNumber = typeof first.value === 'number' && api.misfits(parameter, 1).length === 0;
    const value = isNumber ? 1 : first.value;
    const input = inputFor(api, operation, session, { ...values, [valueKey(operation, parameter)]: value });
    const held = await session.send('selected', input);
    const tag = tagOf(held);
    if (!isSuccess(held) || tag === undefined) continue;
    const seen = await asking(session, 'selected', input)(tag);
    if (hasChanged(seen, tag)) continue;
    const said = `to If-None-Match: ${tag}, with ${parameter.name} as in the read that had this tag`;
    yield* facts.status('current', seen, policy.status, said);
  }
}

/**
 * The condition of other callers, who may read it too, and maybe see something else there; and of none: a condition opens
 * nothing.
 */
export async function* judgeByOthers(
  facts: Facts,
  session: Session,
  input: SendOptions,
): AsyncGenerator<Check> {
  const { status } = facts.policy;
  if (facts.api.callerOf(facts.operation) !== 'none') {
    const refused = await session.send('anonymous', input);
    const seen = await asking(session, 'anonymous', input)('*');
    if ([401, 403].includes(refused.status))
      yield* facts.judge(
        'any',
        [refused, seen],
        seen.status !== status,
        `${refused.status} without a credential, also to If-None-Match: *`,
        sketchAnswer(seen),
      );
  }
  for (const as of callersBeside(facts).filter((one) => session.knows(one))) {
    const held = await session.send(`by ${as}`, input);
    const tag = tagOf(held);
    if (!isSuccess(held) || tag === undefined) continue;
    const seen = await asking(session, `by ${as}`, input)(tag);
    if (hasChanged(seen, tag)) continue;
    yield* facts.status('current', seen, status, `to If-None-Match: ${tag}, by the caller who was given it`);
  }
}

// --- internal ---

const MOST_SELECTED = 2;

function optionalOf({ operation }: Facts): readonly Parameter[] {
  return operation.parameters
    .filter(({ in: place, required }) => place === 'query' && !required)
    .slice(0, MOST_SELECTED);
}

/** Those of another thing: the matches, a tag of its own making, and one crosswise. */
const MOST_OTHER = 12;

/** Another account, and the same one with other kinds of credentials. */
function callersBeside(facts: Facts): readonly ('secondAccount' | 'apiKey' | 'jwt')[] {
  const usual = facts.api.callerOf(facts.operation);
  return ['secondAccount', ...kindsOf(facts, facts.operation).filter((kind) => kind !== usual)];
}
