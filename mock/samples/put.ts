import { isRecord } from '../../contract/index.ts';

/**
 * The value with another value at a path; removes the member for `undefined`. Objects on the way are made if they are
 * missing.
 */
export function put(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  if (value === undefined && other !== undefined) return put({}, [name, ...rest], other);
  if (!isRecord(value)) return value;
  const { [name]: inner, ...others } = value;
  const made = put(inner, rest, other);
  return made === undefined ? others : { ...others, [name]: made };
}

/** The names of a path with dots in a body, or the one name that has dots itself. */
export function pathIn(body: unknown, path: string): readonly string[] {
  return isRecord(body) && Object.hasOwn(body, path) ? [path] : path.split('.');
}
