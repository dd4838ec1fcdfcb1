import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ids } from './ids.ts';

/**
 * Signs addresses for a limited time and verifies its own signatures. Another signer, or the same one after a
 * reset, does not accept them.
 */
export class AddressSigner {
  /** Two signers with the same key make the same signatures. */
  secret: Uint8Array;

  constructor(ids: Pick<Ids, 'secret'>) {
    this.secret = ids.secret('addresses');
  }

  /** The query of an address: its expiry, in epoch seconds, and the signature over address and expiry. */
  sign(path: string, expires: number): string {
    return `expires=${String(expires)}&${SIGNATURE}=${this.#signature(path, String(expires))}`;
  }

  /** `now` in epoch milliseconds. */
  verify(
    path: string,
    query: readonly { readonly name: string; readonly value: string }[],
    now: number,
  ): 'good' | 'expired' | 'forged' {
    const expires = only(query, 'expires');
    const signature = only(query, SIGNATURE);
    if (expires === undefined || signature === undefined) return 'forged';
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#signature(path, expires));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
    return Number(expires) * 1_000 < now ? 'expired' : 'good';
  }

  #signature(path: string, expires: string): string {
    return createHmac('sha256', this.secret).update(`${path}\n${expires}`).digest('base64url');
  }
}

// --- internal ---

const SIGNATURE = 'signature';

/** The value of a parameter that occurs exactly once. */
function only(
  query: readonly { readonly name: string; readonly value: string }[],
  name: string,
): string | undefined {
  const found = query.filter((pair) => pair.name === name);
  return found.length === 1 ? found[0]?.value : undefined;
}
