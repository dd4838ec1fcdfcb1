import { memberAlong } from './member-at.ts';

/** Why an API answers with an error, by a code in the body (document 3, "Error body" and "Errors"). */
export interface ErrorCodesPolicy {
  readonly kind: 'error-codes';
  /** The paths of the code and the message in the body, with dots. */
  readonly code: string;
  readonly message: string;
  /** The paths of the status and the title in the body, as in a problem report (RFC 9457). */
  readonly status?: string;
  readonly title?: string;
  /** The codes that the contract names; a server may send others. */
  readonly codes: readonly { readonly name: string; readonly status?: number }[];
  /** The code for each role, so that code need not contain the names. */
  readonly roles: Readonly<Record<string, string>>;
}

/** The members of an error: paths with dots. */
export type ErrorPlaces = Pick<ErrorCodesPolicy, 'code' | 'message' | 'status' | 'title'>;

/** The members of an error if neither the sheet nor the document defines them. */
export const PLAIN_ERRORS: ErrorPlaces = { code: 'error', message: 'message' };

/** The code of an error answer, known or not; `undefined` if the body has none. */
export function readErrorCode(policy: Pick<ErrorCodesPolicy, 'code'>, body: unknown): string | undefined {
  const value = memberAlong(body, policy.code);
  return typeof value === 'string' ? value : undefined;
}
