import { sample, stringMatching } from 'fast-check';
import type { JsonObject } from '../../contract/index.ts';

/** Text that a schema allows. */
export function textSample({ format, pattern, minLength, maxLength }: JsonObject): string {
  const least = Number(minLength ?? 0);
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const usual = (typeof format === 'string' ? FORMATS[format] : undefined) ?? 'sample';
  if (typeof pattern === 'string') {
    const found = matching(pattern, usual, least, most);
    if (found !== undefined) return found;
  }
  const padded = usual.padEnd(Math.min(least, 1_000), 'e');
  return padded.length > most ? padded.slice(0, most) : padded;
}

/** A number that a schema allows, bounds in the words of 3.0 and of 3.1. */
export function numberSample(schema: JsonObject): number {
  const { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const isWhole = type === 'integer' || (Array.isArray(type) && type.includes('integer'));
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 1 : undefined;
  const lower = bound(minimum, exclusiveMinimum);
  const upper = bound(maximum, exclusiveMaximum);
  const between = lower !== undefined && upper !== undefined ? (lower.at + upper.at) / 2 : undefined;
  const small = step ?? Math.min(1, between === undefined || lower === undefined ? 1 : between - lower.at);
  const fits = (value: number): boolean =>
    (lower === undefined || (lower.isOut ? value > lower.at : value >= lower.at)) &&
    (upper === undefined || (upper.isOut ? value < upper.at : value <= upper.at));
  const onStep = (value: number): number => (step === undefined ? value : Math.ceil(value / step) * step);
  const candidates = [
    ...(lower === undefined ? [onStep(1)] : [onStep(lower.at), onStep(lower.at) + small]),
    ...(upper === undefined ? [] : [step === undefined ? upper.at : Math.floor(upper.at / step) * step]),
    ...(upper === undefined ? [] : [upper.at - small]),
  ];
  return candidates.find(fits) ?? candidates[0] ?? 1;
}

// --- internal ---

interface Bound {
  readonly at: number;
  /** The bound itself is not allowed. */
  readonly isOut: boolean;
}

function bound(plain: unknown, exclusive: unknown): Bound | undefined {
  if (typeof exclusive === 'number') return { at: exclusive, isOut: true };
  return typeof plain === 'number' ? { at: plain, isOut: exclusive === true } : undefined;
}

/** Text that people would expect, where the pattern takes it; else some that it describes, plain where there is any. */
function matching(pattern: string, usual: string, least: number, most: number): string | undefined {
  const expression = regularExpression(pattern);
  if (expression === undefined) return undefined;
  const fits = (text: string): boolean =>
    expression.test(text) && [...text].length >= least && [...text].length <= most;
  const known = [usual, ...COMMON].find(fits);
  if (known !== undefined) return known;
  try {
    const made = sample(stringMatching(expression), { seed: 1, numRuns: 200 }).filter(fits);
    return made.find((text) => /^[\x21-\x7e]+$/.test(text)) ?? made[0];
  } catch {
    // Not every expression can be turned into its texts.
    return undefined;
  }
}

function regularExpression(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2024-05-04T03:02:01Z',
  date: '2024-05-04',
  time: '03:02:01Z',
  duration: 'P3DT4H',
  email: 'person@example.com',
  'idn-email': 'person@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/sample',
  'uri-template': '/sample/{id}',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
  'json-pointer': '/sample',
  regex: '^sample$',
  byte: 'c2FtcGxl',
  int32: '1',
  int64: '1',
  decimal: '1.5',
};

/** What patterns of real documents often ask for. */
const COMMON: readonly string[] = [
  ...['sample-1', 'Sample', 'SAMPLE', 'sample', 'a', 'A', '1', '12', '0', '1.5', '2024-05-04'],
  ...['USD', 'DE', 'en', 'en-GB', '#aabbcc', '/sample', '1.0.0', 'v1', '+4930123456', '10:30'],
  ...['person@example.com', 'https://example.com/', FORMATS['uuid'] ?? '', FORMATS['date-time'] ?? ''],
];
