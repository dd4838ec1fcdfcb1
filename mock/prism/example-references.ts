import { isRecord } from '../../contract/index.ts';

/** References in one value that lead to more values than this stay as they are. */
const MOST_VALUES = 10_000;

/**
 * A copy of a value of a document that is no schema, such as an example, with the target in the place of each reference.
 * A reference within its own target stays as it is.
 */
export function withTargets(value: unknown, resolve: (reference: string) => unknown): unknown {
  let left = MOST_VALUES;
  const copied = (given: unknown, around: readonly string[]): unknown => {
    if (typeof given !== 'object' || given === null) return given;
    if (around.length > 0) left -= 1;
    if (Array.isArray(given)) return given.map((item: unknown) => copied(item, around));
    if (!isRecord(given)) return given;
    const { $ref } = given;
    if (typeof $ref === 'string' && left > 0 && !around.includes($ref)) {
      const target = resolve($ref);
      if (target !== undefined) return copied(target, [...around, $ref]);
    }
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [name, copied(member, around)]));
  };
  return copied(value, []);
}
