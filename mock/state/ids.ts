import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** The source of a mock's ids and secrets: random, or with a seed the same ones in the same order. */
export interface Ids {
  /**
   * A UUID of version 4.
   *
   * @param of the kind, such as `job`: each kind has its own sequence, so that additional calls do not change
   * the ids of jobs
   * @param isTaken whether restored state already contains an id; such an id is skipped
   */
  readonly uuid: (of: string, isTaken?: (id: string) => boolean) => string;
  /** 32 bytes. */
  readonly secret: (of: string) => Uint8Array;
  /** Restarts the sequence, if there is a seed. */
  readonly reset: () => void;
}

/** @param seed random ids if left out */
export function idsOf(seed: string | undefined): Ids {
  if (seed === undefined) return randomIds;
  const counts = new Map<string, number>();
  const secret = (of: string): Buffer => {
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return createHmac('sha256', seed)
      .update(`${of} ${String(count)}`)
      .digest();
  };
  const uuid: Ids['uuid'] = (of, isTaken) => {
    const id = uuidOf(secret(of));
    return isTaken?.(id) === true ? uuid(of, isTaken) : id;
  };
  return {
    uuid,
    secret,
    reset: () => {
      counts.clear();
    },
  };
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32),
  reset: () => undefined,
};

// --- internal ---

/** Version and variant are those of a random UUID (RFC 9562, section 5.4). */
function uuidOf(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
