/** A value that may be given once only (document 2, "Limits", 2). */
export interface UniquenessPolicy {
  readonly kind: 'uniqueness';
  readonly operations: readonly string[];
  /** The path of the value in the request body, with dots. */
  readonly member: string;
  /** The path parameters within which it is unique. */
  readonly within: readonly string[];
  /** Who refuses it: the server before its handler, or the handler in the order of its own checks. */
  readonly checkedBy?: 'server' | 'handler';
  /** The refusal; 409, as far as the document declares it, when left out. */
  readonly refusal?: { readonly status: number; readonly bucket?: string };
}

/** The unique value that a request claims; of two requests with equal claims, the second is refused. */
export interface UniquenessClaim {
  /** The value within what the policy names: the claim that counts. */
  readonly within: string;
  /** The value alone, as if it had to be unique everywhere. */
  readonly everywhere: string;
}

/**
 * What a request would take for itself. A body without the value claims that there is none: whether it may be missing is
 * not for this policy to say.
 *
 * @param body parsed; anything
 * @param parameter the value of a path parameter, decoded
 */
export function uniquenessClaim(
  policy: Pick<UniquenessPolicy, 'member' | 'within'>,
  body: unknown,
  parameter: (name: string) => string,
): UniquenessClaim {
  const everywhere = JSON.stringify(memberAt(policy.member, body)) ?? '';
  return { within: JSON.stringify([...policy.within.map(parameter), everywhere]), everywhere };
}

// --- internal ---

function memberAt(path: string, body: unknown): unknown {
  let value = body;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[member];
  }
  return value;
}
