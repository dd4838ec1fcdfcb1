import { ApiError } from './errors.ts';

/** By status, range of statuses (`4XX`) or `default`: whether a body matches the document's description. */
export type BodyGuards = Readonly<Record<string, (body: unknown) => boolean>>;

/**
 * Returns the error if it is an answer of this operation with this status and the declared body; `undefined` for
 * every other error, and for other bodies, such as those of a proxy.
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

/** The entry of a document for a status: the status itself, else its range, else `default`. */
function placeOf(status: number, guards: BodyGuards): string | undefined {
  const range = String(status).charAt(0);
  const places = [String(status), `${range}XX`, `${range}xx`, 'default'];
  return places.find((place) => Object.hasOwn(guards, place));
}

/** The status and the headers of an answer. */
export interface StatusAndHeaders {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** The number in a header; `undefined` if it is absent or not a number. */
export function numberIn({ headers }: StatusAndHeaders, name: string): number | undefined {
  const text = headers.get(name)?.trim();
  const value = text ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}
