import type { PolicyOf } from '../../../contract/index.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { Facts, OperationFacts, Probes } from './facts.ts';
import { revived, taken, upsert } from './resource-caller-ids.ts';
import { hiddenThings } from './hidden-things.ts';
import { changeScenarios } from './resource-changes.ts';
import { created } from './resource-created.ts';
import { deleted } from './resource-deleted.ts';
import { filtered } from './resource-filters.ts';
import { listedAsRead } from './listed-as-read.ts';
import { listed } from './resource-lists.ts';
import { createdMany } from './resource-many.ts';
import { refusedAmongMany } from './resource-many-refused.ts';
import { missing } from './resource-missing.ts';
import { owned } from './resource-owners.ts';
import { restored } from './resource-restored.ts';
import { sorted } from './resource-sorted.ts';
import { elsewhere } from './resource-parents.ts';
import type { Role } from './thing.ts';
import { type Things, thingsOf } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Judges resources that requests create, list, read, change and delete. */
export function resourceProbes(facts: Facts<Resource>): Probes {
  const things = thingsOf(facts.api, facts.policy);
  const on = (
    role: Role,
    make: (facts: OperationFacts<Resource>) => readonly Scenario[],
  ): readonly Scenario[] => {
    const operation = things.operation(role);
    return operation === undefined ? [] : make(facts.on(operation));
  };
  const [first] = named(things);
  const operation = first && things.operation(first);
  const list = things.operation('list');
  const oracles = [
    ...(operation === undefined ? [] : hiddenThings(facts.on(operation), things)),
    ...(list === undefined ? [] : listedAsRead(facts.on(list), things)),
  ];
  const several = on('createMany', (own) => [...createdMany(own, things), ...refusedAmongMany(own, things)]);
  if (things.operation('create') === undefined) return { scenarios: several, oracles };
  return {
    scenarios: [
      ...several,
      ...on('create', (own) => created(own, things)),
      ...on('list', (own) => [...listed(own, things), ...filtered(own, things), ...sorted(own, things)]),
      ...named(things).flatMap((role) =>
        on(role, (own) => [...missing(own, things, role), ...elsewhere(own, things), ...owned(own, things)]),
      ),
      ...on('delete', (own) => [...deleted(own, things), ...revived(own, things)]),
      ...on('restore', (own) => restored(own, things)),
      ...on('create', (own) => taken(own, things)),
      ...on('replace', (own) => upsert(own, things)),
      ...changeScenarios(facts, things),
    ],
    oracles,
  };
}

// --- internal ---

/** The usual rule about unknown ids covers the first of these operations that exists. */
function named(things: Things): readonly Role[] {
  return (['read', 'replace', 'patch', 'delete'] as const)
    .filter((role) => things.operation(role) !== undefined)
    .slice(0, 1);
}
