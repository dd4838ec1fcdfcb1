/**
 * The query of the address that a `Link` header gives for a relation, such as `next` (RFC 8288); `undefined` for none.
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
