import { ApiError } from './errors.ts';

/** By status, range of statuses (`4XX`) or `default`: whether a body is what the document describes there. */
export type BodyGuards = Readonly<Record<string, (body: unknown) => boolean>>;

/**
 * The error itself where it is this operation's answer of this status with the body that the document describes;
 * `undefined` for every other error and for bodies that came from elsewhere, such as a proxy on the way.
 */
export function failedWith(
  error: unknown,
  operation: string,
  status: number | string,
  guards: BodyGuards,
): ApiError | undefined {
  if (!(error instanceof ApiError) || error.operation !== operation) return undefined;
  const isIt = placeOf(error.status, guards) === String(status) && guards[status]?.(error.body) === true;
  return isIt ? error : undefined;
}

/** Where a document describes a status: by itself, else by its range, else for all others. */
function placeOf(status: number, guards: BodyGuards): string | undefined {
  const range = String(status).charAt(0);
  const places = [String(status), `${range}XX`, `${range}xx`, 'default'];
  return places.find((place) => Object.hasOwn(guards, place));
}

/** What tells an answer from another: its status and its headers. */
export interface Told {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** A header that holds a number; `undefined` where it is not there or holds something else. */
export function numberIn({ headers }: Told, name: string): number | undefined {
  const text = headers.get(name)?.trim();
  const value = text ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}
