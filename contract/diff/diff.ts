import type { Contract } from '../model.ts';
import type { Diff } from './change.ts';
import { compareComponents } from './components.ts';
import { compareIncoming } from './incoming.ts';
import { ChangeCollector } from './change-collector.ts';
import { compareOperations, routeOf } from './operations.ts';
import { comparePolicies } from './policies.ts';
import { compareOpenPoints, compareRules } from './rules.ts';
import { compareSchemes } from './security.ts';
import { compareServers } from './servers.ts';

/**
 * The changes from one contract to another, with their effects on callers and servers that still follow the
 * old one. Descriptions and examples are not compared. Pure; the work is bounded by the number of pairs of
 * schemas.
 */
export function diffContracts(old: Contract, contract: Contract): Diff {
  const ledger = new ChangeCollector(old, contract);
  compareServers(ledger, old, contract, { before: '', after: '' });
  compareSchemes(ledger);
  compareOperations(ledger);
  compareIncoming(ledger);
  compareComponents(ledger);
  const newIds = new Map(contract.operations.map((operation) => [routeOf(operation), operation.id]));
  const renamed = new Map(
    old.operations.map((operation) => [operation.id, newIds.get(routeOf(operation)) ?? operation.id]),
  );
  comparePolicies(ledger, renamed);
  compareRules(ledger);
  compareOpenPoints(ledger);
  return { changes: ledger.changes() };
}
