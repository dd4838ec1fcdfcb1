import type { Contract } from '../contract/model.ts';
import { isRecord } from '../contract/index.ts';

/** A user's own choices: objects are merged into those of the sheet, anything else replaces them. */
export type AssumptionOverrides = Readonly<Record<string, unknown>>;

/** The mock's choice for an open point; each API defines the shapes of its own points. */
export type Assume = (id: string) => unknown;

/**
 * Reads the open points of contracts. The ids of different contracts never collide.
 *
 * @param layers choices that override those of the sheets, the last one on top
 */
export function assumptionsOf(
  contracts: readonly Contract[],
  ...layers: readonly AssumptionOverrides[]
): Assume {
  const points = contracts.flatMap(({ sheet }) => sheet?.unspecified ?? []);
  const values = new Map<string, unknown>(
    points.map(({ id, mockUses }) => [
      id,
      layers.reduce<unknown>((value, layer) => overlay(value, layer[id]), mockUses),
    ]),
  );
  return (id) => {
    if (!values.has(id))
      throw new Error(`no behaviour sheet states the mock's choice for the open point ${id}`);
    return values.get(id);
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
