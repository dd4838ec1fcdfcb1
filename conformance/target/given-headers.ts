import { HEADER_PLACEHOLDERS } from '../../contract/secrecy/index.ts';
import type { Mask, Placeholder } from '../../contract/secrecy/index.ts';

/** A header that the caller adds to every request, such as one that a gateway requires. */
export type GivenHeader = readonly [name: string, value: string];

/**
 * Why a header cannot be added to every request; `undefined` if it can. The reason never contains the value.
 *
 * @param credentials the names of headers that contain declared credentials, in lower case
 */
export function whyRefused([name, value]: GivenHeader, credentials: ReadonlySet<string>): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return 'its name contains characters that HTTP does not allow';
  if (value === '') return `${name} has no value`;
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
    return `the value of ${name} contains control characters`;
  if (value.length > LONGEST_VALUE) return `the value of ${name} is longer than ${LONGEST_VALUE} characters`;
  const lower = name.toLowerCase();
  if (OWNED.has(lower)) return `the suite sets ${name} itself`;
  if (credentials.has(lower))
    return `${name} carries the credential, and requests without one must not have it; use --api-key or --bearer`;
  return undefined;
}

/** The limit for given headers, because each has its own placeholder. */
export const MOST_HEADERS = 9;

/**
 * The placeholders for the values in reports. In the header itself the value is always masked; elsewhere only
 * if it may be a credential, so that a word such as `test` stays readable in a body.
 */
export function masksOfHeaders(headers: readonly GivenHeader[]): readonly Mask[] {
  return headers.flatMap(([header, value], index): Mask[] => {
    const placeholder: Placeholder | undefined = HEADER_PLACEHOLDERS[index];
    if (placeholder === undefined) return [];
    const own = { secret: value, placeholder, header };
    if (PUBLIC.test(header)) return [own];
    const parts = value.split(/[\s;,=]+/).filter((part) => part.length >= LEAST_OF_PART);
    const secrets = value.length >= LEAST_OF_VALUE ? new Set([value, ...parts]) : new Set<string>();
    return [own, ...[...secrets].map((secret) => ({ secret, placeholder }))];
  });
}

// --- internal ---

const LONGEST_VALUE = 8192;

/** Shorter values are words rather than secrets. */
const LEAST_OF_VALUE = 8;
/** For `session=…; theme=dark` and `Basic …`, a server may echo one part. */
const LEAST_OF_PART = 12;

/** Headers whose values are not secrets, because words such as `application/json` occur in many answers. */
const PUBLIC =
  /^(?:accept(?:-.*)?|user-agent|cache-control|pragma|origin|referer|via|from|date|prefer|x-forwarded-.*|forwarded|traceparent)$/i;

/** Headers that frame a message, and those that probes and the fuzzer send themselves. */
const OWNED: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'last-event-id',
  'proxy-authorization',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
