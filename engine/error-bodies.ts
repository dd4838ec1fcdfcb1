import type { ErrorPlaces } from '../contract/policies/error-codes.ts';

/**
 * The document's requirements for error bodies, by status as documents write it; `*` applies to all others.
 */
export type ErrorBodies = Readonly<Record<string, ErrorBody>>;

/**
 * The requirements for an error body beyond the usual members, and the usual members that it does not allow.
 */
export interface ErrorBody {
  /**
   * The only codes that the body allows; an empty list if it has no member for a code. If left out, any code.
   */
  readonly codes?: readonly string[];
  /** Whether an error may leave out the code, where the body allows only the listed ones. */
  readonly isCodeOptional?: true;
  readonly others?: readonly OtherMember[];
  /** The paths of the message, the status and the title that the body does not allow. */
  readonly absent?: readonly string[];
}

/** A required member of an error, with its default: the time of the error, or a value. */
export interface OtherMember {
  /** The path, with dots. */
  readonly path: string;
  readonly isTime?: true;
  readonly value?: unknown;
}

/** An error body as the document declares it for the status. */
export function errorBody(
  places: ErrorPlaces,
  bodies: ErrorBodies | undefined,
  { status, reason, message, details, misleading = [] }: Reasoned,
  now: () => number,
): Readonly<Record<string, unknown>> {
  const range = `${String(Math.floor(status / 100))}XX`;
  const {
    codes,
    isCodeOptional,
    others = [],
    absent = [],
  } = bodies?.[String(status)] ?? bodies?.[range] ?? bodies?.['DEFAULT'] ?? bodies?.['*'] ?? {};
  const body: Record<string, unknown> = {};
  const set = (path: string | undefined, value: unknown): void => {
    if (path !== undefined && value !== undefined && !absent.includes(path)) put(body, path, value);
  };
  for (const { path, isTime, value } of others)
    put(body, path, isTime === true ? new Date(now()).toISOString() : value);
  set(places.title, titleOf(reason));
  set(places.status, status);
  const fitting = codes?.filter((code) => !misleading.includes(code)) ?? [];
  const allowed = fitting.length > 0 || isCodeOptional === true ? fitting : (codes ?? []);
  set(places.code, codes === undefined ? reason : allowedCode(allowed, reason, status));
  set(places.message, message);
  set([...places.code.split('.').slice(0, -1), 'details'].join('.'), details);
  return body;
}

// --- internal ---

interface Reasoned {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly details: unknown;
  /** Codes that the contract gives to other statuses. */
  readonly misleading?: readonly string[];
}

/** The allowed code that describes a status best; `undefined` if none is allowed. */
function allowedCode(codes: readonly string[], reason: string, status: number): string | undefined {
  const words = WORDS[status] ?? (status >= 500 ? /internal|server|unavailable|timeout/i : WORDS[400]);
  return codes.find((code) => code === reason) ?? codes.find((code) => words?.test(code)) ?? codes[0];
}

const WORDS: Readonly<Record<number, RegExp>> = {
  400: /bad|valid|malform|argument/i,
  401: /unauth|credential|token/i,
  403: /forbid|denied|permission|access/i,
  404: /not.?found|missing|unknown/i,
  409: /conflict|exist|duplicate/i,
  413: /large|size/i,
  415: /media|type/i,
  429: /rate|limit|many|quota/i,
};

/** `no_such_note` as `No such note`. */
function titleOf(code: string): string {
  const words = code.replaceAll(/[_-]+/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const members = path.split('.');
  const last = members.pop() ?? '';
  let place = body;
  for (const member of members) place = (place[member] ??= {}) as Record<string, unknown>;
  place[last] = value;
}
