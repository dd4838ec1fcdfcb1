import type { Attributes } from './conventions.ts';

/**
 * The instruments of this example; the bounds of a histogram are those that the semantic conventions
 * recommend, in seconds.
 */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const INSTRUMENTS = {
  'http.server.request.duration': { unit: 's', kind: 'histogram' },
  'http.client.request.duration': { unit: 's', kind: 'histogram' },
  'http.server.active_requests': { unit: '{request}', kind: 'up-down' },
  'tallystick.server.replays': { unit: '{request}', kind: 'counter' },
} as const;

/** Records one value of an instrument. */
export type Record = (name: keyof typeof INSTRUMENTS, value: number, attributes: Attributes) => void;

/** Aggregates values since the start of the process; the result is in the format of OTLP metrics. */
export function instruments(): { readonly record: Record; readonly collected: () => object[] } {
  const startedAt = Date.now();
  const series = new Map<string, Series>();
  return {
    record(name, value, attributes) {
      // The order of attributes has no meaning.
      const pairs = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
      const id = JSON.stringify([name, pairs]);
      const one = series.get(id) ?? { name, attributes, sum: 0, buckets: BOUNDS.map(() => 0).concat(0) };
      const bound = BOUNDS.findIndex((most) => value <= most);
      const bucket = bound < 0 ? BOUNDS.length : bound;
      one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
      one.sum += value;
      series.set(id, one);
    },
    collected: () =>
      Object.entries(INSTRUMENTS).flatMap(([name, { unit, kind }]): object[] => {
        const points = [...series.values()].filter((one) => one.name === name);
        if (points.length === 0) return [];
        const time = {
          startTimeUnixNano: nanoseconds(startedAt),
          timeUnixNano: nanoseconds(Date.now()),
        };
        const dataPoints = points.map(({ attributes, sum, buckets }) => ({
          ...time,
          attributes: keyValues(attributes),
          ...(kind === 'histogram'
            ? {
                count: String(buckets.reduce((all, count) => all + count, 0)),
                sum,
                bucketCounts: buckets.map(String),
                explicitBounds: BOUNDS,
              }
            : { asInt: String(sum) }),
        }));
        const data = { dataPoints, aggregationTemporality: CUMULATIVE };
        return kind === 'histogram'
          ? [{ name, unit, histogram: data }]
          : [{ name, unit, sum: { ...data, isMonotonic: kind === 'counter' } }];
      }),
  };
}

/** Attributes as OTLP writes them. */
export function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { stringValue: value },
  }));
}

/** @param milliseconds since the epoch */
export function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds)) * 1_000_000n);
}

// --- internal ---

interface Series {
  readonly name: string;
  readonly attributes: Attributes;
  sum: number;
  /** The number of values in each bucket; the last one is unbounded. */
  readonly buckets: number[];
}

const CUMULATIVE = 2;
