import type { Thing } from '../wire.ts';

export interface Device {
  readonly id: string;
  readonly account: string;
  readonly order: number;
  version: number;
  fields: Thing;
  readonly created_at: string;
  updated_at: string;
  readings: Reading[];
  readonly refusedInstants: Set<string>;
}
export type Reading = Thing & { readonly id: number; readonly at: string; readonly energy_wh: number };

export interface Alarm {
  readonly account: string;
  readonly order: number;
  version: number;
  facts: Thing;
  readonly watchers: Set<() => void>;
}

/** Whether a server has a fault. */
export type Has = (fault: string) => boolean;

/** Rounded to the nearest tenth. */
export const tenth = (value: number): number => Math.round((value + Number.EPSILON) * 10) / 10;

/** The order of two values; numbers are compared as text where `isText`. */
export function compare(a: unknown, b: unknown, isText: boolean): number {
  if (typeof a === 'number' && typeof b === 'number' && !isText) return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
