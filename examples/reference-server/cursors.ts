import { createHmac, timingSafeEqual } from 'node:crypto';

/** Sealed bookmarks. All replicas share the secret, so that a walk may go on at any of them. */
export interface Cursors {
  issue(place: number): string;
  /** The place that a cursor stands for; `undefined` where it was not issued here, was changed or is too old. */
  open(cursor: string): number | undefined;
  expired(): string;
}

const HOUR_MS = 3_600_000;

export function sealedCursors(secret: string, now: () => number): Cursors {
  const issue = (place: number, at: number): string => {
    const payload = Buffer.from(JSON.stringify([place, at])).toString('base64url');
    return `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`;
  };
  return {
    issue: (place) => issue(place, now()),
    expired: () => issue(1, now() - 2 * HOUR_MS),
    open(cursor) {
      const [payload = '', ...rest] = cursor.split('.');
      const [given, wanted] = [
        Buffer.from(rest.join('.')),
        Buffer.from(createHmac('sha256', secret).update(payload).digest('base64url')),
      ];
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const [place, at] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, number];
      return now() - at > HOUR_MS ? undefined : place;
    },
  };
}
