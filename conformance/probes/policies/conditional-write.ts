import { isSuccess } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { guardedActionProbes } from './guarded-actions.ts';
import { GuardedChanges, type Guarded, roleIn, TAGS, thingsAround } from './guarded-things.ts';
import { excludedVersion } from './if-none-match.ts';
import { keptTags } from './kept-tags.ts';
import type { StatedRefusal } from './refusal.ts';
import { waysToEndOf } from './stream-end.ts';
import type { Thing } from './thing.ts';

/** A change that names the version that it changes: If-Match (RFC 9110, sections 8.8.3 and 13.1.1). */
export function conditionalWriteProbes(facts: OperationFacts<Guarded>): Probes {
  const things = thingsAround(facts);
  const { operation, policy } = facts;
  const { exists } = policy;
  const role = things && roleIn(things, operation.id);
  if (things === undefined || role === undefined) return guardedActionProbes(facts);
  const reader = things.operation('read');
  const [way] = reader === undefined ? [] : waysToEndOf(facts, reader);
  const scenario = (name: string, cases: readonly string[], run: Run): readonly Scenario[] =>
    facts.scenario(cases, {
      id: `conditional-write.${operation.id}.${name}`,
      title: `${operation.method.toUpperCase()} ${operation.path} with a version: ${name}`,
      permissions: ['writes'],
      severalCases: facts.ids(...cases),
      requests: {
        ...things.requests({ create: 8, read: 40, replace: 16, patch: 16, delete: 16 }),
        ...(name === 'others' ? way?.requests : {}),
      },
      async *run(session: Session) {
        const within = await things.within(session);
        yield* run(
          new GuardedChanges(facts, things, role, session),
          () => things.make(session, within),
          session,
        );
      },
    });
  return {
    scenarios: [
      ...scenario('versions', ['current', 'list', 'any', 'changed'], async function* (course, make) {
        const isGone = role === 'delete';
        let thing = await make();
        for (const [name, tagsOf] of TAGS) {
          const before = await course.version(thing);
          if (!isGone && name === 'current') yield* course.judgeMade(thing, before);
          const seen = await course.change(thing, { ifMatch: tagsOf(before.tag) });
          yield* facts.judge(
            name,
            [before.seen, seen],
            isSuccess(seen),
            `the change, with If-Match: ${tagsOf(before.tag)}`,
          );
          if (!isGone && isSuccess(seen)) yield* course.judgeTags(thing, before, seen);
          // The same change once more would change nothing.
          if (isGone || !course.canTurnBack(thing)) thing = await make();
        }
      }),
      ...scenario('others', ['mismatch', 'weak', 'required'], async function* (course, make, session) {
        const thing = await make();
        const old = await course.version(thing);
        const before = (await course.otherChange(thing)) ? await course.version(thing) : old;
        const weak = `W/${before.tag}`;
        const refused: readonly (readonly [string, string | null, StatedRefusal])[] = [
          ['mismatch', '"tallystick-other"', policy.mismatch],
          ...(old.tag === before.tag ? [] : ([['mismatch', old.tag, policy.mismatch]] as const)),
          ['mismatch', '"tallystick-other", "tallystick-another"', policy.mismatch],
          ['weak', weak, policy.mismatch],
          ['weak', `"tallystick-other", ${weak}`, policy.mismatch],
          ...(policy.required === undefined ? [] : ([['required', null, policy.required]] as const)),
        ];
        // The second time shows whether a refusal has a side effect.
        for (const [name, tags, stated] of [...refused, ...refused]) {
          const said = tags === null ? 'without If-Match' : `with If-Match: ${tags}`;
          if (!(yield* course.judgeRefused(name, { thing, before, stated, said }, { ifMatch: tags }))) return;
        }
        yield* course.judgeNew(thing);
        const ended = way && (await make());
        if (ended === undefined || (await way?.go(session, ended.values)) === undefined) return;
        const end = await course.version(ended);
        const seen = await course.change(ended, { ifMatch: '"tallystick-other"' });
        // It may be refused for its state before its version is looked at (RFC 9110, section 13.2.1).
        yield* facts.judge(
          'mismatch',
          [end.seen, seen],
          !isSuccess(seen),
          'a refusal with If-Match: "tallystick-other", also after the end',
          sketchAnswer(seen),
        );
      }),
      ...(role === 'delete' ? [] : scenario('race', ['mismatch'], racedChanges(facts))),
      ...(exists === undefined
        ? []
        : scenario('exists', ['exists'], async function* (course, make) {
            yield* excludedVersion(facts, course, await make(), exists);
          })),
    ],
    oracles: keptTags(facts, things.operation('read')),
  };
}

// --- internal ---

type Run = (course: GuardedChanges, make: () => Promise<Thing>, session: Session) => AsyncGenerator<Check>;

const RACES = 2;

/** A server that compares the version first and changes the thing later makes both of two changes. */
function racedChanges(facts: OperationFacts<Guarded>): Run {
  return async function* (course, make) {
    let isTried = false;
    for (let time = 0; time < RACES; time += 1) {
      const raced = await course.race(await make());
      if (raced === undefined) break;
      const { before, seen, now } = raced;
      // A tag that stays is the fault: by it, the version has not changed.
      if (now.tag === before.tag) continue;
      const done = seen.filter(isSuccess);
      if (done.length === 0 || done.some(({ status }) => status === 202)) continue;
      isTried = true;
      yield* facts.judge(
        'mismatch',
        [before.seen, ...seen],
        done.length === 1,
        `a refusal of one of two changes at once, both with If-Match: ${before.tag}`,
        'both succeeded',
      );
    }
    if (!isTried)
      throw new NotExercised(
        `bodies.${facts.operation.id}`,
        'no change of a pair of different ones succeeded',
      );
  };
}
