import type { PolicyOf } from '../../../contract/index.ts';
import { isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { Hindered, NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { inputFor } from '../document/input.ts';
import { valueKey } from '../document/value-key.ts';
import { textOfSameForm } from '../document/variants.ts';
import type { Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import {
  changesOfThing,
  isAlike,
  judgeChange,
  plansOfChanges,
  READS_OF_A_CHANGE,
} from './conditional-changes.ts';
import { judgeByOthers, judgeOther, judgeSelected, plansOfOthers } from './conditional-others.ts';
import { asking, hasChanged, judgeMatches, keptHeaders, opaqueOf, tagOf } from './conditional-matches.ts';
import type { ConditionalFacts as Facts } from './conditional-matches.ts';
import { asCondition, otherTags } from './entity-tags.ts';
import type { OperationFacts, Probes } from './facts.ts';
import type { Thing } from './thing.ts';
import { keptTags } from './kept-tags.ts';
import { thingsBy } from './things.ts';

/** A conditional read without a body in the answer (RFC 9110, sections 8.8.3 and 13.1.2). */
export function conditionalProbes(facts: OperationFacts<PolicyOf<'conditional-get'>>): Probes {
  const { api, operation, reads } = facts;
  const found = reads.of(operation);
  const requests: RequestPlans = {
    read: api.plan(operation),
    again: api.plan(operation, { times: MOST_AGAIN }),
    nothing: api.plan(operation, { times: 2 }),
    ...plansOfOthers(facts),
  };
  return {
    scenarios: [
      ...facts.scenario(CASES, {
        id: `conditional-get.${operation.id}`,
        title: `GET ${operation.path} with If-None-Match`,
        uses: [found],
        severalCases: facts.ids(...CASES),
        requests,
        async *run(session) {
          const { answer, values, missing, why } = await session.obtain(found);
          if (answer === undefined) throw new NotExercised(missing, why);
          const input = inputFor(api, operation, session, values);
          const first = yield* judged(facts, session, input);
          yield* judgeNothing(facts, session, values);
          yield* judgeOther(facts, session, { input, first, values });
          yield* judgeSelected(facts, session, values);
          yield* judgeByOthers(facts, session, input);
        },
      }),
      ...ofMade(facts),
    ],
    oracles: keptTags(facts, operation),
  };
}

// --- internal ---

const CASES = ['current', 'tag', 'no-body', 'weak', 'list', 'any', 'changed', 'kept-headers'] as const;

/** The same read of a thing that the suite has made; and after calls that change what it shows, each of another thing. */
function ofMade(facts: Facts): readonly Scenario[] {
  const { api, operation } = facts;
  const things = thingsBy(api, 'read', operation);
  if (things?.operation('create') === undefined) return [];
  const changes = changesOfThing(api, operation);
  return facts.scenario(CASES, {
    id: `conditional-get.${operation.id}.made`,
    title: `GET ${operation.path} with If-None-Match, of a resource of the suite`,
    permissions: ['writes'],
    severalCases: facts.ids(...CASES),
    requests: {
      ...things.requests({ create: 1 + changes.length }),
      read: api.plan(operation, { times: 1 + READS_OF_A_CHANGE * changes.length }),
      again: api.plan(operation, { times: MOST_AGAIN + changes.length }),
      ...plansOfChanges(api, changes),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const read = (thing: Thing): SendOptions => inputFor(api, operation, session, thing.values);
      const thing = await things.make(session, within);
      yield* judged(facts, session, read(thing));
      for (const [index, change] of changes.entries()) {
        const one = index === 0 ? thing : await things.make(session, within);
        yield* judgeChange(facts, session, change, { things, input: read(one), values: one.values });
      }
    },
  });
}

/** @returns the whole answer whose tag was asked for */
async function* judged(facts: Facts, session: Session, input: SendOptions): AsyncGenerator<Check, Exchange> {
  const { policy } = facts;
  // The state may have changed since the first answer.
  const first = await session.send('read', input);
  // What cannot be read as a whole is not judged by its head either: then this throws.
  const { bytes } = first;
  const tag = tagOf(first);
  const got = first.header('etag');
  yield* facts.judge(
    'tag',
    first,
    tag !== undefined,
    'an answer with an ETag',
    got === undefined ? 'no ETag' : `ETag: ${got}`,
  );
  if (tag === undefined) throw new NotExercised('an opportunity', 'the answer has no ETag');
  const ask = asking(session, 'again', input);
  const exact = await ask(tag);
  if (exact.status !== policy.status && hasChanged(exact, tag)) {
    const again = await session.send('again', input);
    const all = [first, exact, again];
    if (!hasChanged(again, exact.header('etag') ?? ''))
      throw new Hindered('what the read shows changed during the test', [first.id, exact.id]);
    // What is the same, byte by byte, has the same tag: its earlier one names it still.
    if (all.every((one) => Buffer.compare(one.bytes, bytes) === 0)) {
      const told = all.map((one) => one.header('etag')).join(', ');
      const expected = `${policy.status} to the tag ${tag} of the same answer`;
      yield* facts.judge('current', all, false, expected, `another tag on every read: ${told}`);
    }
    throw new Hindered(
      'the answer has a different entity tag on every read',
      all.map(({ id }) => id),
    );
  }
  yield* keptHeaders(facts, first, yield* judgeMatches(facts, ask, { tag, exact }));
  const opaque = opaqueOf(tag);
  for (const other of otherTags(opaque.slice(1, -1))) {
    const seen = await ask(other);
    const isWhole = isSuccess(seen) && seen.bytes.length > 0;
    const expected = `the whole answer to If-None-Match: ${other}`;
    yield* facts.judge('changed', seen, isWhole, expected, sketchAnswer(seen));
    // The same strong tag is the same answer, unless what it shows changes without its tag.
    if (!isWhole || tag.startsWith('W/') || seen.header('etag') !== tag || isAlike(seen, first)) continue;
    const now = await session.send('again', input);
    if (!isAlike(now, first)) continue;
    const got = `another answer with ETag: ${tag}`;
    yield* facts.judge('changed', [first, seen, now], false, expected, got);
    return first;
  }
  // A condition without a tag in its quotes has no legal form, so that it may be refused.
  for (const none of ['', 'tallystick-unquoted']) {
    const seen = await ask(none);
    const isMatch = seen.status === policy.status;
    yield* facts.judge('changed', seen, !isMatch, 'no match of no tag', sketchAnswer(seen));
  }
  return first;
}

/** A star matches what exists (RFC 9110, section 13.1.2): not what an id in the same form names, which does not exist. */
async function* judgeNothing(facts: Facts, session: Session, values: Values): AsyncGenerator<Check> {
  const { api, operation, policy } = facts;
  const last = pathParameters(operation).findLast((parameter) =>
    operation.path.includes(`{${parameter.name}}`),
  );
  const own = last === undefined ? undefined : values[valueKey(operation, last)];
  if (last === undefined || typeof own !== 'string') return;
  const other = textOfSameForm(own, session.freshKey);
  if (other === own || api.misfits(last, other).length > 0) return;
  const input = inputFor(api, operation, session, { ...values, [valueKey(operation, last)]: other });
  const plain = await session.send('nothing', input);
  if (!isGone(plain)) return;
  const seen = await session.send('nothing', {
    ...input,
    headers: [...(input.headers ?? []), asCondition('*')],
  });
  yield* facts.judge(
    'any',
    [plain, seen],
    seen.status !== policy.status,
    `${plain.status}, also to If-None-Match: *`,
    sketchAnswer(seen),
  );
}

/** The conditions of one answer: those that match, those that do not, and one without a tag. */
const MOST_AGAIN = 30;
