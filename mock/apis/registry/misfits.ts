import type { EngineFinding } from '../../call/engine.ts';
import type { RegistryFacts, SchemaObject } from './facts.ts';
import { isRecord } from '../../../contract/index.ts';

/** One fault of a body, named by a JSON pointer. */
export interface BodyMisfit {
  readonly pointer: string;
  /** What the member must be: `must be array`. */
  readonly what: string;
}

/** What Prism found in a body, by pointer. Findings about its absence, its media type or missing members are not here. */
export function misfitOf(finding: EngineFinding): BodyMisfit {
  const path = finding.at.split('.').slice(1);
  const pointer = pointerTo(path);
  const what = /\b(must .*)$/s.exec(finding.message)?.[1] ?? finding.message;
  return { pointer, what };
}

/**
 * What Prism does not look at in a request: members that only answers carry. They are not taken over, but what is there
 * has to be of its type (`registry.publish.wrong-types`).
 */
export function readOnlyMisfits(
  facts: RegistryFacts,
  schema: SchemaObject,
  value: unknown,
): readonly BodyMisfit[] {
  const walk = (at: SchemaObject, found: unknown, path: readonly string[]): BodyMisfit[] => {
    if (Array.isArray(found) && at.items !== undefined) {
      const items = facts.resolved(at.items);
      return items.properties === undefined
        ? []
        : found.flatMap((item: unknown, index) => walk(items, item, [...path, String(index)]));
    }
    if (!isRecord(found)) return [];
    return Object.entries(at.properties ?? {}).flatMap(([name, member]) => {
      if (!Object.hasOwn(found, name)) return [];
      const inner = facts.resolved(member);
      const here = [...path, name];
      const wrong = inner.readOnly === true && inner.type === 'string' && typeof found[name] !== 'string';
      return wrong ? [{ pointer: pointerTo(here), what: 'must be string' }] : walk(inner, found[name], here);
    });
  };
  return walk(schema, value, []);
}

/** The first member at which a value is nested deeper than anybody can mean it. */
export function tooDeep(value: unknown): BodyMisfit | undefined {
  let level: readonly { readonly value: unknown; readonly path: readonly string[] }[] = [{ value, path: [] }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) {
      const pointer = pointerTo(level[0]?.path ?? []);
      return { pointer, what: `must not be nested deeper than ${String(DEEPEST)} levels` };
    }
    level = level.flatMap(({ value: outer, path }) =>
      typeof outer !== 'object' || outer === null
        ? []
        : Object.entries(outer as object)
            .filter(([, inner]) => typeof inner === 'object' && inner !== null)
            // The place that people recognise is near the top.
            .map(([name, inner]) => ({
              value: inner as unknown,
              path: path.length < 3 ? [...path, name] : path,
            })),
    );
  }
  return undefined;
}

// --- internal ---

const DEEPEST = 64;

function pointerTo(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
