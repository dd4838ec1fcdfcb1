/** Bodies in a format that an operation refuses by an error of its own (document 3, "Submit request", row body). */
export interface RefusedFormatPolicy {
  readonly kind: 'refused-format';
  readonly operations: readonly string[];
  /** The members by which the format is known: all are there, and all are arrays. */
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
