import type { Contract } from '../contract/model.ts';

/**
 * What the mock does where the contract is silent, by the id of the silent point. The values stand in the behaviour
 * sheets (`unspecified`); the shapes that behaviours rely on stand here. Each can be set otherwise, none is asserted.
 */
export interface Assumptions {
  readonly 'A-06': { readonly status: Readonly<Record<string, number>> };
  readonly 'A-07': {
    readonly callsInFlight: number;
    readonly committedSpendCents: number | null;
    readonly replayCapBytes: number;
    readonly requestBodyBytes: number;
  };
  readonly 'A-08': { readonly bucket: string; readonly retryAfter: { readonly inFlight: number } };
  readonly 'A-09': { readonly minimumLength: number; readonly maximumLength: number };
  readonly 'A-12': { readonly recordRefusals: boolean };
  readonly 'A-17': { readonly refusedBySchema: number; readonly refusedByModel: number };
  readonly 'A-18': { readonly compare: 'bytes' | 'json' };
  readonly 'A-19': { readonly bucket: string };
  readonly 'A-20': { readonly introducedBy: string; readonly separatedBy: string; readonly atMost: number };
  readonly 'A-22': { readonly status: number };
  readonly 'A-24': { readonly limitNotAnInteger: { readonly status: number; readonly bucket: string } };
  readonly 'A-25': {
    readonly otherMethod: { readonly status: number; readonly bucket: string };
    readonly unknownPath: { readonly status: number; readonly bucket: string };
  };
  readonly 'A-26': {
    readonly malformed: { readonly status: number; readonly bucket: string };
    readonly tooLarge: { readonly status: number; readonly bucket: string };
  };
  readonly 'A-30': { readonly openapi: string; readonly cacheControl: string };
  readonly 'A-37': { readonly maxAgeSeconds: number };
}

export type AssumptionId = keyof Assumptions;

/** A user's own choices: objects are laid over the sheet's, anything else replaces it. */
export type AssumptionOverrides = Readonly<Record<string, unknown>>;

export type Assume = <Id extends AssumptionId>(id: Id) => Assumptions[Id];

/** Reads the silent points of contracts; later contracts do not touch earlier ones, their ids never meet. */
export function assumptionsOf(contracts: readonly Contract[], overrides: AssumptionOverrides = {}): Assume {
  const points = contracts.flatMap(({ sheet }) => sheet?.unspecified ?? []);
  const values = new Map<string, unknown>(
    points.map(({ id, mockUses }) => [id, overlay(mockUses, overrides[id])]),
  );
  return (id) => {
    if (!values.has(id))
      throw new Error(`no behaviour sheet says what the mock uses for the silent point ${id}`);
    return values.get(id) as Assumptions[typeof id];
  };
}

// --- internal ---

function overlay(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isRecord(base) || !isRecord(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [member, value] of Object.entries(over)) merged[member] = overlay(base[member], value);
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
