import { isRecord } from '../../contract/index.ts';
import { boundedSchema } from './bounded-schema.ts';

/** The parts of Prism's operation that are changed for samples. */
export interface PrismOperation {
  readonly request?: unknown;
  readonly responses: readonly { readonly contents?: readonly { readonly schema?: unknown }[] }[];
}

/** The operation with finite schemas, for generating an answer. */
export function forSamples<Operation extends object>(operation: Operation): Operation {
  const known = samples.get(operation) ?? sampledOf(operation);
  samples.set(operation, known);
  return known() as Operation;
}

/**
 * Says where the references of an operation lead, before its first answer is generated.
 *
 * @param resolve the target of a reference
 */
export function withSamplesOf(operation: PrismOperation, resolve: (reference: string) => unknown): void {
  let made: PrismOperation | undefined;
  samples.set(operation, () => (made ??= bounded(operation, resolve)));
}

// --- internal ---

const samples = new WeakMap<object, () => object>();

/**
 * Prism adds the bounds of formats such as `int64` to schemas and generates the smallest number, which is an
 * unrealistic id; and it generates write-only members.
 */
function sampledOf(resource: object): () => object {
  let made: object | undefined;
  return () => {
    if (made !== undefined) return made;
    const { responses, ...rest } = resource as PrismOperation;
    const copy = structuredClone(responses);
    const seen = new Set<object>();
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null || seen.has(node)) return;
      seen.add(node);
      const { properties } = node as { readonly properties?: unknown };
      for (const name of ['minimum', 'maximum'])
        if (BOUNDS.has((node as Record<string, unknown>)[name])) Reflect.deleteProperty(node, name);
      if (isRecord(properties))
        for (const [name, member] of Object.entries(properties))
          if (isRecord(member) && member['writeOnly'] === true) Reflect.deleteProperty(properties, name);
      for (const member of Object.values(node)) visit(member);
    };
    visit(copy);
    return (made = { ...rest, responses: copy });
  };
}

const BOUNDS: ReadonlySet<unknown> = new Set([
  ...[Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ...[-(2 ** 31), 2 ** 31 - 1, -Number.MAX_VALUE, Number.MAX_VALUE, -(2 ** 128), 2 ** 128],
]);

function bounded(operation: PrismOperation, resolve: (reference: string) => unknown): PrismOperation {
  return {
    ...operation,
    responses: operation.responses.map((response) => ({
      ...response,
      contents: (response.contents ?? []).map((content) => {
        if (content.schema === undefined) return content;
        return { ...content, schema: boundedSchema(content.schema, resolve) ?? {} };
      }),
    })),
  } as PrismOperation;
}
