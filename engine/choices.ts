/** Choices that these contracts leave to the server. */
export interface Choices {
  /** How many characters a key has whose answers are replayed. */
  readonly keyLength: { readonly minimum: number; readonly maximum: number };
  /** The seconds that `Retry-After` says on a refusal for the sake of a key; `null` for none. */
  readonly retryAfter: {
    readonly inFlight: number | null;
    readonly consumed: number | null;
    readonly mismatch: number | null;
  };
  /** How headers write amounts of money, in cents, and whether what remains is counted without the refused call. */
  readonly spend: {
    readonly form: 'integer' | 'decimal';
    readonly remaining: 'before this call' | 'after this call';
  };
}

/** What generated servers choose. */
export const CHOICES: Choices = {
  keyLength: { minimum: 1, maximum: 255 },
  retryAfter: { inFlight: 1, consumed: null, mismatch: null },
  spend: { form: 'integer', remaining: 'before this call' },
};
