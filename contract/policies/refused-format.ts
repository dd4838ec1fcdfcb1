/**
 * Bodies in a format that an operation refuses with a specific error (document 3, "Submit request", row
 * body).
 */
export interface RefusedFormatPolicy {
  readonly kind: 'refused-format';
  readonly operations: readonly string[];
  /** The members that identify the format: all are present, and all are arrays. */
  readonly arrays: readonly string[];
  /** The code of the error. */
  readonly code: string;
}

/** Whether a body is in the format. */
export function isRefusedFormat({ arrays }: Pick<RefusedFormatPolicy, 'arrays'>, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return arrays.every(
    (member) =>
      Object.hasOwn(body, member) && Array.isArray((body as Readonly<Record<string, unknown>>)[member]),
  );
}
