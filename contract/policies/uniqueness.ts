import { memberAlong } from './member-at.ts';

/** A value that may be used only once (document 2, "Limits", 2). */
export interface UniquenessPolicy {
  readonly kind: 'uniqueness';
  readonly operations: readonly string[];
  /** The path of the value in the request body, with dots. */
  readonly member: string;
  /** The path parameters within which it must be unique. */
  readonly within: readonly string[];
  /** Where it is checked: in the server before the handler, or in the handler as one of its own checks. */
  readonly checkedBy?: 'server' | 'handler';
  /** The status of the refusal; if left out, 409, provided that the document declares it. */
  readonly refusal?: { readonly status: number; readonly bucket?: string };
}

/** The unique value that a request claims. Of two requests with equal claims, the second is refused. */
export interface UniquenessClaim {
  /** The value together with the scope that the policy names: the claim that counts. */
  readonly within: string;
  /** The value alone, as if it had to be unique everywhere. */
  readonly everywhere: string;
}

/**
 * The claim of a request. A missing value is a claim too: this policy does not decide whether the value is
 * required.
 *
 * @param body parsed; any value
 * @param parameter the value of a path parameter, decoded
 */
export function uniquenessClaim(
  policy: Pick<UniquenessPolicy, 'member' | 'within'>,
  body: unknown,
  parameter: (name: string) => string,
): UniquenessClaim {
  const everywhere = JSON.stringify(memberAlong(body, policy.member)) ?? '';
  return { within: JSON.stringify([...policy.within.map(parameter), everywhere]), everywhere };
}
