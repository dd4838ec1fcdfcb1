import { isSuccess } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { Guarded, GuardedChanges } from './guarded-things.ts';
import { refusal } from './refusal.ts';
import type { Thing } from './thing.ts';

/**
 * Changes that exclude versions by If-None-Match (RFC 9110, section 13.1.2): what exists is not replaced, and what does not
 * exist is created once.
 */
export async function* excludedVersion(
  facts: OperationFacts<Guarded>,
  changes: GuardedChanges,
  thing: Thing,
  stated: NonNullable<Guarded['exists']>,
): AsyncGenerator<Check> {
  yield* refused(facts, changes, thing, stated);
  const values = changes.createsToo ? changes.freshPlace(thing) : undefined;
  if (values === undefined) return;
  const made = await changes.change({ ...thing, values }, { ifMatch: null, ifNoneMatch: '*' });
  yield* facts.judge(
    'exists',
    made,
    isSuccess(made),
    'the creation of a resource that does not exist, with If-None-Match: *',
    sketchAnswer(made),
  );
  if (isSuccess(made) && made.status !== 202) yield* refused(facts, changes, { ...thing, values }, stated);
}

// --- internal ---

/** The second time shows whether a refusal has a side effect. */
async function* refused(
  facts: OperationFacts<Guarded>,
  changes: GuardedChanges,
  thing: Thing,
  stated: NonNullable<Guarded['exists']>,
): AsyncGenerator<Check> {
  const before = await changes.version(thing);
  for (const ifNoneMatch of ['*', before.tag, '*']) {
    const seen = await changes.change(thing, { ifMatch: null, ifNoneMatch });
    yield* refusal(facts, 'exists', seen, stated, `with If-None-Match: ${ifNoneMatch}`);
    const now = await changes.version(thing);
    yield* facts.judge(
      'exists',
      [before.seen, seen, now.seen],
      now.tag === before.tag,
      `still ${before.tag}`,
      now.tag,
    );
    if (now.tag !== before.tag) return;
  }
}
