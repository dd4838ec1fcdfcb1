import type { Thing } from '../wire.ts';

export interface Part {
  readonly name: string;
  readonly amount: number;
}

/** The price of an order, in minor units. */
export function partsOf(order: Thing, has: (fault: string) => boolean): readonly Part[] {
  const parcels = order['parcels'] as readonly { readonly weight_grams: number }[];
  const base = 350;
  const kilograms = parcels.map(({ weight_grams: grams }) => Math.ceil(grams / 1000));
  const weight = 20 * kilograms.reduce((sum, one) => sum + one, 0);
  const parts: Part[] = [
    { name: 'base', amount: base },
    { name: 'weight', amount: weight },
  ];
  if (order['speed'] === 'express') {
    const quarter = (base + weight) / 4;
    parts.push({
      name: 'express',
      amount: has('express-rounds-down') ? Math.floor(quarter) : Math.floor(quarter + 0.5),
    });
  }
  const insured = Number(order['insured_value'] ?? 0);
  if (insured > 0) parts.push({ name: 'insurance', amount: Math.ceil(insured / 100) });
  return parts;
}

/** A price as callers see it. */
export function priceOf(parts: readonly Part[], has: (fault: string) => boolean): Thing {
  const total = parts.reduce((sum, { amount }) => sum + amount, 0);
  const isText = has('large-total-text') && total >= 100_000;
  return { currency: 'EUR', total: isText ? String(total) : total, parts };
}
