import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { randomIds, type Ids } from '../../state/ids.ts';

/**
 * Makes opaque cursors. A cursor is the encrypted id after which the list continues, so that it survives
 * edits of the catalogue and is neither an id nor ordered (document 1, "Identifier schemas", rule 5). A new
 * seal, as after a reset, does not accept old cursors (open point A-23).
 */
export class CursorSeal {
  readonly #newSecret: () => Uint8Array;
  #secret: Uint8Array;
  #tell: (secret: Uint8Array) => void = () => undefined;

  constructor({ secret }: Pick<Ids, 'secret'> = randomIds) {
    this.#newSecret = () => secret('cursors');
    this.#secret = this.#newSecret();
  }

  /** Invalidates every cursor that it has made. */
  renew(): void {
    this.#secret = this.#newSecret();
    this.#tell(this.#secret);
  }

  get secret(): Uint8Array {
    return this.#secret;
  }

  set secret(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** Calls back with each new secret. */
  watch(tell: (secret: Uint8Array) => void): void {
    this.#tell = tell;
  }

  /** The same id always gives the same cursor, so that reading a page twice gives the same page. */
  close(lastId: string): string {
    // The initialisation vector is derived from the id, so that no two ids share one.
    const vector = this.#derive(`vector ${lastId}`).subarray(0, VECTOR_BYTES);
    const cipher = createCipheriv(CIPHER, this.#derive('key'), vector);
    const hidden = Buffer.concat([cipher.update(lastId, 'utf8'), cipher.final()]);
    return Buffer.concat([vector, cipher.getAuthTag(), hidden]).toString('base64url');
  }

  /** The id to continue after; `undefined` for anything that is not exactly a cursor of this seal. */
  open(cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // Base64 decoding is lenient, but only one spelling of the bytes is a valid cursor.
    if (bytes.length <= VECTOR_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined;
    const [vector, tag] = [
      bytes.subarray(0, VECTOR_BYTES),
      bytes.subarray(VECTOR_BYTES, VECTOR_BYTES + TAG_BYTES),
    ];
    const cipher = createDecipheriv(CIPHER, this.#derive('key'), vector, { authTagLength: TAG_BYTES });
    cipher.setAuthTag(tag);
    try {
      const id = cipher.update(bytes.subarray(VECTOR_BYTES + TAG_BYTES));
      return Buffer.concat([id, cipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  #derive(purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(purpose).digest();
  }
}

// --- internal ---

const CIPHER = 'aes-256-gcm';
const VECTOR_BYTES = 12;
const TAG_BYTES = 16;
