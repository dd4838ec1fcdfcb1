import type { Faker } from '@faker-js/faker';
import { momentOf, wordsOf } from './lifelike-text.ts';

/** The requirements of a schema for a number. */
export interface NumberBounds {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly step?: number | undefined;
  readonly isInteger: boolean;
}

/** A realistic number for a member with this name, within the bounds of its schema. */
export function numberOfName(name: string, bounds: NumberBounds, faker: Faker): number {
  const words = wordsOf(name);
  const { isInteger } = bounds;
  if (isInteger && /_at$|timestamp/.test(words) && bounds.most === undefined)
    return Math.floor(momentOf(name, faker).getTime() / 1_000);
  const [low, high, places] = RANGES.find(([pattern]) => pattern.test(words))?.[1] ?? [1, 100, 2];
  const least = bounds.least ?? Math.min(low, bounds.most ?? low);
  const most = bounds.most ?? Math.max(high, least);
  // The usual range, as far as the bounds allow it.
  const from = Math.max(least, Math.min(low, most));
  const to = Math.max(from, Math.min(most, high > from ? high : most));
  const { step } = bounds;
  if (step !== undefined && step > 0) {
    const first = Math.ceil(from / step);
    const last = Math.floor(to / step);
    return first > last ? first * step : faker.number.int({ min: first, max: last }) * step;
  }
  if (!isInteger) return faker.number.float({ min: from, max: to, fractionDigits: places });
  const [first, last] = [Math.ceil(from), Math.floor(to)];
  return first > last ? first : faker.number.int({ min: first, max: last });
}

// --- internal ---

const RANGES: readonly (readonly [RegExp, readonly [low: number, high: number, places: number]])[] = [
  [/price|amount|cost|total|fee|balance|salary|budget|cents/, [5, 5_000, 2]],
  [/quantity|count|stock|seats|capacity|guests|nights/, [1, 20, 0]],
  [/(?:^|_)age$/, [18, 80, 0]],
  [/year/, [2000, 2026, 0]],
  [/rating|score|stars/, [1, 5, 1]],
  [/percent|discount|progress/, [0, 100, 0]],
  [/lat(?:itude)?$/, [-60, 70, 4]],
  [/(?:lng|lon|longitude)$/, [-170, 170, 4]],
  [/size|bytes|width|height|length/, [100, 4_000, 0]],
  [/port$/, [1_024, 49_151, 0]],
  [/(?:^|_)id$|number/, [1_000, 9_999, 0]],
];
