import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypted cursors. All replicas share the secret, so that a client may continue at any of them. */
export interface Cursors {
  issue(place: number): string;
  /** The position of a cursor; `undefined` if it was not issued here, was changed or has expired. */
  open(cursor: string): number | undefined;
  expired(): string;
}

const HOUR_MS = 3_600_000;
const CIPHER = 'aes-256-gcm';
const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

export function sealedCursors(secret: string, now: () => number): Cursors {
  const key = createHash('sha256').update(secret).digest();
  const issue = (place: number, at: number): string => {
    const vector = randomBytes(VECTOR_BYTES);
    const cipher = createCipheriv(CIPHER, key, vector);
    const hidden = Buffer.concat([cipher.update(JSON.stringify([place, at])), cipher.final()]);
    return Buffer.concat([vector, cipher.getAuthTag(), hidden]).toString('base64url');
  };
  return {
    issue: (place) => issue(place, now()),
    expired: () => issue(1, now() - 2 * HOUR_MS),
    open(cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.toString('base64url') !== cursor || bytes.length <= VECTOR_BYTES + TAG_BYTES)
        return undefined;
      const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, VECTOR_BYTES), {
        authTagLength: TAG_BYTES,
      });
      cipher.setAuthTag(bytes.subarray(VECTOR_BYTES, VECTOR_BYTES + TAG_BYTES));
      try {
        const text = Buffer.concat([cipher.update(bytes.subarray(VECTOR_BYTES + TAG_BYTES)), cipher.final()]);
        const [place, at] = JSON.parse(text.toString()) as [number, number];
        return now() - at > HOUR_MS ? undefined : place;
      } catch {
        return undefined;
      }
    },
  };
}
