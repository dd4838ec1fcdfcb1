/** The value at a path with dots in a body, such as `error.code`; `undefined` if there is no such member. */
export function memberAlong(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** As `memberAlong`, but a member whose own name has dots comes first. `undefined` for a path that is `undefined`. */
export function memberAt(body: unknown, path: string | undefined): unknown {
  if (path === undefined || typeof body !== 'object' || body === null) return undefined;
  return Object.hasOwn(body, path)
    ? (body as Readonly<Record<string, unknown>>)[path]
    : memberAlong(body, path);
}
