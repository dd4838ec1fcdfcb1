/** Choices for points that the contracts leave to the server. */
export interface Choices {
  /** The length limits of a key whose answers are replayed, in characters. */
  readonly keyLength: { readonly minimum: number; readonly maximum: number };
  /** The seconds of `Retry-After` on a refusal because of a key; `null` for no header. */
  readonly retryAfter: {
    readonly inFlight: number | null;
    readonly consumed: number | null;
    readonly mismatch: number | null;
  };
  /** How headers write amounts of money, in cents, and whether the remainder includes the refused call. */
  readonly spend: {
    readonly form: 'integer' | 'decimal';
    readonly remaining: 'before this call' | 'after this call';
  };
}

/** The choices of generated servers. */
export const CHOICES: Choices = {
  keyLength: { minimum: 1, maximum: 255 },
  retryAfter: { inFlight: 1, consumed: null, mismatch: null },
  spend: { form: 'integer', remaining: 'before this call' },
};
