/**
 * A `Link` header with the address of the next page: the address of this page with other parameters.
 *
 * @param target path and query of this page
 */
export function nextLink(target: string, changes: Readonly<Record<string, string>>): string {
  const [path = '', search = ''] = target.split('?');
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return `<${path}?${query.toString()}>; rel="next"`;
}

/**
 * The query of the address in a `Link` header for a relation, such as `next` (RFC 8288); `undefined` if the
 * header has no such link.
 *
 * @param header the field's value; several lines joined by commas
 */
export function linkedQuery(
  header: string | null | undefined,
  relation: string,
): URLSearchParams | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(
    /<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/g,
  )) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (!relations.includes(relation)) continue;
    const [, query = ''] = /\?([^#]*)/.exec(target) ?? [];
    return new URLSearchParams(query);
  }
  return undefined;
}
