/**
 * The segments of an id by their names: `segmentsOf(['provider', 'model'], 'acme/echo-1')`.
 *
 * @throws {TypeError} when the id has fewer or more segments
 */
export function segmentsOf<Name extends string>(
  names: readonly Name[],
  id: string,
): Readonly<Record<Name, string>> {
  const segments = id.split('/');
  if (segments.length !== names.length || segments.includes(''))
    throw new TypeError(`${JSON.stringify(id)} is not an id of the form ${names.join('/')}`);
  return Object.fromEntries(names.map((name, index) => [name, segments[index]])) as Readonly<
    Record<Name, string>
  >;
}
