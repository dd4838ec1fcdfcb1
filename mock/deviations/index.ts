import { suggest, typed } from '../../contract/index.ts';
import { modules } from '../apis/index.ts';
import type { Contract } from '../../contract/model.ts';
import type { OwnMockModules } from '../own-module.ts';
import type { Deviation } from './deviation.ts';
import { policyDeviations } from './policies/index.ts';

/** The printable part of a deviation. */
export type DeviationListing = Pick<Deviation, 'id' | 'rule' | 'alsoFails'>;

/**
 * Every rule that the mock can break on purpose, for the built-in APIs or for users' contracts and their
 * modules.
 */
export function listDeviations(
  contracts?: readonly Contract[],
  own: OwnMockModules = {},
): readonly DeviationListing[] {
  const all =
    contracts?.flatMap((contract) => deviationsOf(contract, own)) ??
    modules.flatMap(({ deviations }) => deviations);
  return all.map(({ id, rule, alsoFails }) => ({ id, rule, alsoFails }));
}

/** The deviations with these ids, by API. An unknown id is refused with the most similar known one. */
export function activeDeviations(
  ids: readonly string[],
  contracts: readonly Contract[] = [],
  own: OwnMockModules = {},
): (api: string) => readonly Deviation[] {
  const known = [
    ...modules.map(({ name, deviations }) => ({ name, deviations })),
    // Created on demand, because each belongs to the sheet that it was made from.
    ...(ids.length === 0
      ? []
      : contracts.map((contract) => ({ name: contract.name, deviations: deviationsOf(contract, own) }))),
  ].flatMap(({ name: api, deviations }) => deviations.map((deviation) => ({ api, deviation })));
  const active = ids.map((id) => {
    const found = known.find(({ deviation }) => deviation.id === id);
    if (found !== undefined) return found;
    const nearest = suggest(id, new Set(known.map(({ deviation }) => deviation.id)));
    const hint = nearest === undefined ? `To list them: ${typed('deviations')}` : `Did you mean ${nearest}?`;
    throw new RangeError(`There is no deviation ${id}. ${hint}`);
  });
  return (api) => active.filter((entry) => entry.api === api).map(({ deviation }) => deviation);
}

// --- internal ---

function deviationsOf(contract: Contract, own: OwnMockModules): readonly Deviation[] {
  const { deviations = [] } = own[contract.name] ?? {};
  return [...policyDeviations(contract), ...deviations];
}
