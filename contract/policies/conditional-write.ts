import { opaqueTag } from './conditional-get.ts';

/**
 * A change that is made only to the version that the caller has seen: `If-Match` (RFC 9110, section 13.1.1).
 */
export interface ConditionalWritePolicy {
  readonly kind: 'conditional-write';
  readonly operations: readonly string[];
  /** The refusal if the version is not the current one, such as 412. */
  readonly mismatch: PreconditionRefusal;
  /**
   * The refusal for a request without `If-Match`, such as 428 (RFC 6585); if left out, such a request is
   * accepted.
   */
  readonly required?: PreconditionRefusal;
}

export interface PreconditionRefusal {
  readonly status: number;
  /** The error bucket or code, if errors of the API have one. */
  readonly bucket?: string;
}

/**
 * Whether a change may be made. `If-Match` compares strongly: a weak tag matches nothing, `*` matches
 * anything that exists, and an invalid header matches nothing.
 *
 * @param header the field's value; several lines joined by commas
 * @param current the tag of the current version; `undefined` if the resource does not exist
 */
export function preconditionOf(
  policy: Pick<ConditionalWritePolicy, 'required'>,
  header: string | undefined,
  current: string | undefined,
): 'met' | 'mismatch' | 'required' {
  if (header === undefined) return policy.required === undefined ? 'met' : 'required';
  if (current === undefined) return 'mismatch';
  if (header.trim() === '*') return 'met';
  const tags = strongTags(header);
  return tags.includes(current) && opaqueTag(current) === current ? 'met' : 'mismatch';
}

// --- internal ---

/** The strong tags of a list; an empty list if it contains anything else. A tag may contain commas. */
function strongTags(header: string): readonly string[] {
  const list = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;
  if (!list.test(header)) return [];
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].flatMap(([, weak, tag]) =>
    weak === undefined && tag !== undefined ? [tag] : [],
  );
}
