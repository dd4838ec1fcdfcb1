import { createRequire } from 'node:module';
import type * as library from 'json-p3';

/** A step of a JSON Patch that cannot be taken: nothing is changed then. */
export class PatchFault extends Error {
  override readonly name = 'PatchFault';
}

/**
 * A value after a JSON Patch (RFC 6902).
 *
 * @throws {PatchFault} if a step cannot be taken, or if there are too many of them
 */
export function jsonPatched(value: unknown, steps: readonly unknown[]): unknown {
  if (steps.length > MOST_STEPS) throw new PatchFault(`it has more than ${String(MOST_STEPS)} steps`);
  const { JSONPatch } = loaded();
  let patched = structuredClone(value);
  for (const [index, step] of steps.entries()) {
    try {
      patched = new JSONPatch([withCopy(step as Step, patched as Value)]).apply(patched as Value);
    } catch (error) {
      const says = error instanceof Error ? error.message.replace(/ \(\S*:0\)$/, '') : String(error);
      throw new PatchFault(`step ${String(index + 1)}: ${says}`, { cause: error });
    }
    // A step that copies the whole into itself doubles it.
    if ((step as Step).op === 'copy' && JSON.stringify(patched).length > LONGEST)
      throw new PatchFault(`step ${String(index + 1)}: the value becomes too long`);
  }
  return patched;
}

// --- internal ---

type Library = typeof library;
type Step = NonNullable<ConstructorParameters<Library['JSONPatch']>[0]>[number];
type Value = Parameters<library.JSONPatch['apply']>[0];

const MOST_STEPS = 1_000;

/** Characters of JSON. */
const LONGEST = 1_000_000;

/** The library copies by putting the original there, so that later steps would change both: a copy is added instead. */
function withCopy(step: Step, whole: Value): Step {
  const { op, path, from = '' } = step;
  if (op !== 'copy') return step;
  return { op: 'add', path, value: structuredClone(new (loaded().JSONPointer)(from).resolve(whole)) };
}

/** Loaded when the first patch arrives: most mocks get none. */
function loaded(): Library {
  return createRequire(import.meta.url)('json-p3') as Library;
}
