/**
 * The value at a path with dots in a body, such as `meta.total`; a member whose own name has dots comes first. `undefined` if
 * there is no such member, and for a path that is `undefined`.
 */
export function memberAt(body: unknown, path: string | undefined): unknown {
  if (path === undefined || typeof body !== 'object' || body === null) return undefined;
  const members = body as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, path)) return members[path];
  let value: unknown = body;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
