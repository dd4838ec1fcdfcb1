/** A read whose answer has no body while the caller's copy is current (document 1, "GET …/openapi.json"). */
export interface ConditionalGetPolicy {
  readonly kind: 'conditional-get';
  readonly operations: readonly string[];
  /** The status of the answer without a body. */
  readonly status: number;
  /** Headers of the full answer that the answer without a body also has. */
  readonly keptHeaders: readonly string[];
}

/**
 * Whether `If-None-Match` names the current state, so that the answer has no body (RFC 9110, sections 8.8.3
 * and 13.1.2): `*` matches any state, a list matches when one of its tags does, compared weakly. An invalid
 * header matches nothing, because a full answer is always correct.
 *
 * @param header the field's value; several lines joined by commas
 * @param current the tag of the state; `undefined` if there is no current state
 */
export function matchesIfNoneMatch(header: string | undefined, current: string | undefined): boolean {
  if (header === undefined || current === undefined) return false;
  if (header.trim() === '*') return true;
  const wanted = opaqueTag(current);
  return wanted !== undefined && (tagsOf(header)?.some((tag) => opaqueTag(tag) === wanted) ?? false);
}

/**
 * The part of a tag that weak comparison uses: the tag with its quotes, without `W/`; `undefined` for text
 * that is not a tag.
 */
export function opaqueTag(tag: string): string | undefined {
  return /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/.exec(tag)?.[1];
}

// --- internal ---

/**
 * The tags of a list, without empty elements; `undefined` if it contains anything else. A tag may contain
 * commas.
 */
function tagsOf(header: string): readonly string[] | undefined {
  const list = /^[\t ,]*(?:(?:W\/)?"[^"]*"[\t ]*(?:,[\t ,]*|$))+$/;
  if (!list.test(header)) return undefined;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.every((tag) => opaqueTag(tag) !== undefined) ? tags : undefined;
}
