import { isRecord } from '../../contract/index.ts';
import { boundedSchema } from './bounded-schema.ts';

/** The parts of Prism's operation that are changed for samples. */
export interface PrismOperation {
  readonly request?: unknown;
  readonly responses: readonly { readonly contents?: readonly { readonly schema?: unknown }[] }[];
}

/** The operation with finite schemas, for generating an answer. */
export function forSamples<Operation extends object>(operation: Operation): Operation {
  return (samples.get(operation)?.() ?? operation) as Operation;
}

/**
 * Says where the references of an operation lead, before its first answer is generated.
 *
 * @param resolve the target of a reference
 */
export function withSamplesOf(operation: PrismOperation, resolve: (reference: string) => unknown): void {
  let made: PrismOperation | undefined;
  samples.set(operation, () => (made ??= sampled(operation, resolve)));
}

// --- internal ---

const samples = new WeakMap<object, () => object>();

function sampled(operation: PrismOperation, resolve: (reference: string) => unknown): PrismOperation {
  return {
    ...operation,
    responses: operation.responses.map((response) => ({
      ...response,
      contents: (response.contents ?? []).map((content) =>
        content.schema === undefined
          ? content
          : { ...content, schema: lifelike(boundedSchema(content.schema, resolve) ?? {}) },
      ),
    })),
  };
}

/**
 * A copy without the bounds that Prism adds for formats such as `int64`, of which it would generate the smallest number,
 * and without members that are only written.
 */
function lifelike(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lifelike);
  if (!isRecord(schema)) return schema;
  const isLeftOut = (name: string, member: unknown): boolean =>
    (name === 'minimum' || name === 'maximum') && BOUNDS.has(member);
  const copy = Object.entries(schema).filter(([name, member]) => !isLeftOut(name, member));
  return Object.fromEntries(
    copy.map(([name, member]) => [
      name,
      DATA.has(name)
        ? member
        : lifelike(name === 'properties' && isRecord(member) ? withoutWritten(member) : member),
    ]),
  );
}

function withoutWritten(properties: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(properties).filter(([, member]) => !isRecord(member) || member['writeOnly'] !== true),
  );
}

/** Members whose values are data, which may have members of any name. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

const BOUNDS: ReadonlySet<unknown> = new Set([
  ...[Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ...[-(2 ** 31), 2 ** 31 - 1, -Number.MAX_VALUE, Number.MAX_VALUE, -(2 ** 128), 2 ** 128],
]);
