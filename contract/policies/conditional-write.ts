import { matchesIfNoneMatch, opaqueTag } from './conditional-get.ts';

/**
 * A change that is made only to the version that the caller has seen: `If-Match` (RFC 9110, section 13.1.1). With `exists`,
 * also a creation that replaces nothing: `If-None-Match: *` (section 13.1.2).
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
  /**
   * The refusal if the version that `If-None-Match` excludes exists, such as 412; `*` excludes every version. If left
   * out, changes ignore `If-None-Match`.
   */
  readonly exists?: PreconditionRefusal;
}

export interface PreconditionRefusal {
  readonly status: number;
  /** The error bucket or code, if errors of the API have one. */
  readonly bucket?: string;
}

/** The conditions of a request: the values of the fields; several lines joined by commas. */
export interface Preconditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Whether a request names a condition that the policy evaluates. */
export function isConditional(
  { exists }: Pick<ConditionalWritePolicy, 'exists'>,
  { ifMatch, ifNoneMatch }: Preconditions,
): boolean {
  return ifMatch !== undefined || (exists !== undefined && ifNoneMatch !== undefined);
}

/**
 * Whether a change may be made. `If-Match` compares strongly: a weak tag matches nothing, `*` matches
 * anything that exists, and an invalid header matches nothing. `If-None-Match` compares weakly, and is evaluated after it
 * (RFC 9110, section 13.2.2).
 *
 * @param current the tag of the current version; `undefined` if the resource does not exist
 */
export function preconditionOf(
  policy: Pick<ConditionalWritePolicy, 'required' | 'exists'>,
  asked: Preconditions,
  current: string | undefined,
): 'met' | 'mismatch' | 'required' | 'exists' {
  const { ifMatch, ifNoneMatch } = asked;
  if (!isConditional(policy, asked)) return policy.required === undefined ? 'met' : 'required';
  if (ifMatch !== undefined && !matchesIfMatch(ifMatch, current)) return 'mismatch';
  return policy.exists !== undefined && matchesIfNoneMatch(ifNoneMatch, current) ? 'exists' : 'met';
}

// --- internal ---

function matchesIfMatch(header: string, current: string | undefined): boolean {
  if (current === undefined) return false;
  return header.trim() === '*' || (strongTags(header).includes(current) && opaqueTag(current) === current);
}

/** The strong tags of a list; an empty list if it contains anything else. A tag may contain commas. */
function strongTags(header: string): readonly string[] {
  const list = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;
  if (!list.test(header)) return [];
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].flatMap(([, weak, tag]) =>
    weak === undefined && tag !== undefined ? [tag] : [],
  );
}
