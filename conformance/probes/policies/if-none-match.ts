import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { Guarded, GuardedChanges } from './guarded-things.ts';
import type { StatedRefusal } from './refusal.ts';
import type { Thing } from './thing.ts';

/**
 * Changes that exclude versions by If-None-Match (RFC 9110, section 13.1.2): what exists is not replaced, and what does not
 * exist is created once.
 */
export async function* excludedVersion(
  facts: OperationFacts<Guarded>,
  changes: GuardedChanges,
  thing: Thing,
  stated: StatedRefusal,
): AsyncGenerator<Check> {
  yield* refused(changes, thing, stated);
  const values = changes.freshPlace(thing);
  if (values === undefined) return;
  const made = await changes.change({ ...thing, values }, { ifMatch: null, ifNoneMatch: '*' });
  yield* facts.judge(
    'exists',
    made,
    isSuccess(made),
    'the creation of a resource that does not exist, with If-None-Match: *',
    sketchAnswer(made),
  );
  if (!isSuccess(made) || made.status === 202) return;
  yield* refused(changes, { ...thing, values }, stated);
  yield* afterRemoval(facts, changes, { ...thing, values });
  for (let time = 0; time < RACES; time += 1) {
    const seen = (await changes.creationRace(thing)) ?? [];
    const done = seen.filter(isSuccess);
    if (done.length === 0 || done.some(({ status }) => status === 202)) return;
    yield* facts.judge(
      'exists',
      seen,
      done.length === 1,
      'a refusal of one of two creations at once, both with If-None-Match: *',
      'both succeeded',
    );
  }
}

// --- internal ---

const RACES = 2;

/** What was removed does not exist, so that it can be created; unless the sheet says that its place stays taken. */
async function* afterRemoval(
  facts: OperationFacts<Guarded>,
  changes: GuardedChanges,
  thing: Thing,
): AsyncGenerator<Check> {
  const resource = resourcesOf(facts.api.contract).find(
    ({ operations }) => operations.replace === facts.operation.id,
  );
  const { gone, operations: { restore } = {} } = resource ?? {};
  if (gone !== undefined || restore !== undefined || !(await changes.remove(thing))) return;
  const made = await changes.change(thing, { ifMatch: null, ifNoneMatch: '*' });
  yield* facts.judge(
    'exists',
    made,
    isSuccess(made),
    'the creation of a resource that was deleted, with If-None-Match: *',
    sketchAnswer(made),
  );
}

/** The second time shows whether a refusal has a side effect. */
async function* refused(changes: GuardedChanges, thing: Thing, stated: StatedRefusal): AsyncGenerator<Check> {
  const before = await changes.version(thing);
  for (const ifNoneMatch of ['*', before.tag, '*']) {
    const said = `with If-None-Match: ${ifNoneMatch}`;
    const conditions = { ifMatch: null, ifNoneMatch };
    if (!(yield* changes.judgeRefused('exists', { thing, before, stated, said }, conditions))) return;
  }
}
