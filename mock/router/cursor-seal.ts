import { createHmac, randomBytes } from 'node:crypto';

/**
 * Makes cursors that only it can read. A cursor says behind which entry the walk goes on, so that it survives edits of
 * the catalogue; a new seal, as after a reset, knows none of the old ones (open point A-23).
 */
export class CursorSeal {
  #secret: Uint8Array = randomBytes(32);
  #tell: (secret: Uint8Array) => void = () => undefined;

  /** Forgets every cursor that it has made. */
  renew(): void {
    this.#secret = randomBytes(32);
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

  close(lastId: string): string {
    const payload = Buffer.from(lastId, 'utf8').toString('base64url');
    return `${payload}.${this.#sign(payload)}`;
  }

  /** The entry behind which to go on; `undefined` for whatever is not exactly a cursor of this seal. */
  open(cursor: string): string | undefined {
    const [payload = '', signature] = cursor.split('.');
    if (`${payload}.${signature ?? ''}` !== cursor || signature !== this.#sign(payload)) return undefined;
    return Buffer.from(payload, 'base64url').toString('utf8');
  }

  #sign(payload: string): string {
    return createHmac('sha256', this.#secret).update(payload).digest('base64url').slice(0, SIGNATURE_LENGTH);
  }
}

// --- internal ---

const SIGNATURE_LENGTH = 22;
