import { textOfPattern } from '../../contract/judge/pattern-text.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A short text that is valid by a schema's pattern, format and lengths. */
export function smallestText({ pattern, minLength, maxLength, ...schema }: Schema): string {
  const { format = schema['contentEncoding'] === 'base64' ? 'byte' : undefined } = schema;
  const least = countOf(minLength);
  const most = typeof maxLength === 'number' ? maxLength : LONGEST;
  if (typeof pattern === 'string') {
    // The shortest first: minimal repetitions, then maximal ones.
    const made = [() => 0, (count: number) => count].map((choose) => textOfPattern(pattern, choose));
    const fitting = made.find((one) => one !== undefined && one.length >= least && one.length <= most);
    if (fitting !== undefined) return fitting;
  }
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known ?? 'text'.repeat(Math.max(1, Math.ceil(least / 4))).slice(0, Math.max(most, least));
}

/**
 * A number that is valid by a schema, an integer if possible. @param isWhole whether it has to be an integer
 */
export function smallestNumber(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: Schema,
  isWhole: boolean,
): number {
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  const most = isNumber(maximum)
    ? maximum
    : isNumber(exclusiveMaximum)
      ? exclusiveMaximum - 1
      : Number.POSITIVE_INFINITY;
  const whole = isNumber(minimum)
    ? Math.ceil(minimum)
    : isNumber(exclusiveMinimum)
      ? Math.floor(exclusiveMinimum) + 1
      : Math.min(1, Math.floor(most));
  if (isNumber(multipleOf) && multipleOf > 0) {
    const from = isWhole || whole <= most ? whole : (minimum ?? exclusiveMinimum ?? whole);
    // Of a part such as 0.01, the product is not exact.
    return Number((Math.ceil(Number(from) / multipleOf) * multipleOf).toPrecision(15));
  }
  const below = isNumber(exclusiveMaximum) ? exclusiveMaximum : Infinity;
  const atMost = Math.min(below, isNumber(maximum) ? maximum : Infinity);
  if (isWhole || (whole <= atMost && whole !== below)) return whole;
  if (isNumber(minimum)) return minimum;
  return isNumber(exclusiveMinimum) ? (exclusiveMinimum + atMost) / 2 : whole;
}

/** A bound as a number of characters, items or members, if it is small enough to write out. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, LONGEST) : 0;
}

// --- internal ---

/** No longer text or list is made. */
const LONGEST = 1000;

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'https://example.com/',
  'uri-reference': '/',
  url: 'https://example.com/',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'PT1H',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'somebody@example.com',
  'idn-email': 'somebody@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  iri: 'https://example.com/',
  'iri-reference': '/',
  'uri-template': '/{id}',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: '^a$',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'dGV4dA==',
};
