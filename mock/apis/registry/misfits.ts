import type { Call } from '../../call/call.ts';
import type { EngineFinding } from '../../call/engine.ts';
import type { RegistryFacts, SchemaObject } from './facts.ts';
import { isRecord } from '../../../contract/index.ts';
import { joinPointer } from '../../../contract/pointer.ts';

/** One fault of a body, named by a JSON pointer. */
export interface BodyMisfit {
  readonly pointer: string;
  /** The requirement for the member: `must be array`. */
  readonly what: string;
}

/** The fault of a body as a whole, as a sentence; `undefined` for a JSON object, and without a body. */
export function bodyFault({ request, findings }: Call): string | undefined {
  const body = request.body();
  if (body.kind === 'oversize') return `The body is longer than ${String(body.limit)} bytes.`;
  const wrongType = findings.find(({ keyword }) => keyword === '415');
  if (wrongType !== undefined) return `${wrongType.message}.`;
  if (body.kind === 'malformed') return body.sentence;
  return body.kind === 'none' || isRecord(body.value) ? undefined : 'The body must be a JSON object.';
}

/**
 * Prism's findings about a body, by pointer. Findings about a missing body, its media type or missing members
 * are not included.
 */
export function misfitOf(finding: EngineFinding): BodyMisfit {
  const path = finding.at.split('.').slice(1);
  const pointer = joinPointer('', ...path);
  const what = /\b(must .*)$/s.exec(finding.message)?.[1] ?? finding.message;
  return { pointer, what };
}

/**
 * The members of a request that Prism ignores because only answers have them. They are not stored, but they
 * must have the right type (`registry.publish.wrong-types`).
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
      return wrong
        ? [{ pointer: joinPointer('', ...here), what: 'must be string' }]
        : walk(inner, found[name], here);
    });
  };
  return walk(schema, value, []);
}

/** The first member at which a value is nested too deeply to be intended. */
export function tooDeep(value: unknown): BodyMisfit | undefined {
  let level: readonly { readonly value: unknown; readonly path: readonly string[] }[] = [{ value, path: [] }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) {
      const pointer = joinPointer('', ...(level[0]?.path ?? []));
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
