import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic, SourceLocation } from '../model.ts';
import type { PlacedObject } from '../document/object-kinds.ts';
import { isRecord } from '../record.ts';
import { referredValue } from '../pointer.ts';

/** The place of a `$ref`. */
export interface ReferencePlace {
  readonly location: SourceLocation | undefined;
  readonly pointer?: string;
}

export interface LocatedReference {
  readonly object: PlacedObject;
  /** Computed on demand, because hardly any reference has a problem. */
  readonly place: () => ReferencePlace;
}

/**
 * Reports references that lead back to themselves without a step into the data: `A` is a `$ref` to `A`, or
 * `A` is `allOf` of `B` and `B` of `A`. No value can be judged by these. A schema with a *property* of its
 * own type is not a loop. Chains beyond a limit are reported too, because later readers follow them by
 * recursion.
 */
export function reportLoops(
  root: Record<string, unknown>,
  references: readonly LocatedReference[],
  report: (diagnostic: Diagnostic) => void,
): void {
  const located = new Map<unknown, LocatedReference>(
    references.map((reference) => [reference.object.value, reference]),
  );
  /** The length of the longest chain from an object; `undefined` while it is being computed. */
  const steps: Steps = new Map();
  const reported = new Set<unknown>();
  const targetOf = remembered((text) => referredValue(root, text));
  let chain: LocatedReference | undefined;
  for (const { object } of references) {
    const path: Visit[] = [];
    enter(object.value, path, steps, targetOf);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.targets.pop();
      if (next === undefined) {
        steps.set(visit.value, visit.steps);
        path.pop();
        const before = path.at(-1);
        if (before !== undefined) before.steps = Math.max(before.steps, visit.steps + 1);
        if (visit.steps > LONGEST_CHAIN) chain ??= located.get(visit.value);
      } else if (!steps.has(next)) {
        enter(next, path, steps, targetOf);
      } else if (steps.get(next) === undefined) {
        const loop = path.slice(path.findIndex(({ value }) => value === next)).map(({ value }) => value);
        const first = loop.map((value) => located.get(value)).find((reference) => reference !== undefined);
        // A loop of other objects than references is reported where these have no place.
        if (first === undefined || reported.has(first)) continue;
        reported.add(first);
        const message = `circular $ref: ${textOf(first.object.value)}`;
        const help = 'define one of these objects without a $ref, or refer to it from a property';
        report(problem('ref-loop', message, { ...first.place(), help }));
      } else {
        visit.steps = Math.max(visit.steps, (steps.get(next) ?? 0) + 1);
      }
    }
  }
  if (chain === undefined || reported.size > 0) return;
  const message = `$ref is the start of a chain of more than ${LONGEST_CHAIN} references: ${textOf(chain.object.value)}`;
  report(problem('ref-chain', message, { ...chain.place(), help: 'refer to the end of the chain directly' }));
}

// --- internal ---

const LONGEST_CHAIN = 100;

interface Visit {
  readonly value: object;
  readonly targets: object[];
  steps: number;
}

/** The target of a reference, by its text. */
type TargetOf = (reference: string) => unknown;

type Steps = Map<object, number | undefined>;

function enter(value: object, path: Visit[], steps: Steps, targetOf: TargetOf): void {
  if (steps.has(value)) return;
  steps.set(value, undefined);
  path.push({ value, targets: targetsOf(value, targetOf), steps: 0 });
}

/** Many references have the same text. */
function remembered(targetOf: TargetOf): TargetOf {
  const known = new Map<string, unknown>();
  return (reference) => {
    if (!known.has(reference)) known.set(reference, targetOf(reference));
    return known.get(reference);
  };
}

/** The schemas that apply to the same value, and not to a value below it. */
function targetsOf(value: object, targetOf: TargetOf): object[] {
  if (!isRecord(value)) return [];
  const { $ref: reference, dependentSchemas: dependent } = value;
  let candidates: unknown[] = [typeof reference === 'string' ? targetOf(reference) : undefined];
  for (const keyword of LISTS)
    if (Array.isArray(value[keyword])) candidates = candidates.concat(value[keyword]);
  for (const keyword of PARTS) candidates.push(value[keyword]);
  if (isRecord(dependent)) candidates = candidates.concat(Object.values(dependent));
  return candidates.filter(isRecord);
}

const LISTS = ['allOf', 'anyOf', 'oneOf'];
const PARTS = ['not', 'if', 'then', 'else'];

function textOf(value: unknown): string {
  return isRecord(value) ? String(value['$ref']) : '';
}
