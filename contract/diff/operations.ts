import type { Contract, Operation } from '../model.ts';
import { compareAnswers } from './answers.ts';
import { type ChangeCollector, otherParty } from './change-collector.ts';
import type { OperationPair } from './operation-pair.ts';
import { compareParameters } from './parameters.ts';
import { compareRequestBodies } from './request-bodies.ts';
import { compareSecurity } from './security.ts';
import { compareServers } from './servers.ts';

/** Compares the operations that callers can call. Operations are paired by method and path, else by id. */
export function compareOperations(ledger: ChangeCollector): void {
  const { old, new: next } = ledger;
  const { pairs, gone, added } = paired(old.operations, next.operations);
  for (const { id, pointer, method, path } of gone)
    ledger.add({
      ...{ kind: 'operation-removed', callers: 'wire', servers: 'code' },
      says: `${id} (${method.toUpperCase()} ${path}) is gone`,
      ...{ before: pointer, after: '/paths', operations: [id] },
    });
  for (const { id, pointer, method, path } of added)
    ledger.add({
      ...{ kind: 'operation-added', servers: 'wire' },
      says: `${id} (${method.toUpperCase()} ${path}) is new`,
      ...{ before: '/paths', after: pointer, operations: [id] },
    });
  for (const pair of pairs) {
    compareNames(ledger, pair);
    compareOperation(ledger, { ...pair, sender: 'callers' });
    compareSecurity(ledger, pair);
    compareServers(ledger, pair.old, pair.new, {
      id: pair.new.id,
      before: pair.old.pointer,
      after: pair.new.pointer,
    });
  }
}

/** Compares requests and answers of two operations. */
export function compareOperation(ledger: ChangeCollector, pair: OperationPair): void {
  compareParameters(ledger, pair);
  compareRequestBodies(ledger, pair);
  compareAnswers(ledger, pair, otherParty(pair.sender));
  const { old, new: next } = pair;
  const places = { before: old.pointer, after: next.pointer, operations: [next.id] };
  if (old.deprecated !== next.deprecated)
    ledger.add({
      kind: next.deprecated ? 'operation-deprecated' : 'operation-restored',
      says: `${next.id} is ${next.deprecated ? '' : 'no longer '}deprecated`,
      ...places,
    });
  const tags = (operation: Operation): string => [...operation.tags].sort().join(', ');
  if (tags(old) !== tags(next))
    ledger.add({
      kind: 'tags-changed',
      says: `the tags of ${next.id} were ${tags(old) || 'absent'} and are ${tags(next) || 'absent'}`,
      ...places,
    });
}

/**
 * A path without the names of its parameters. Two paths that differ only in these names address the same
 * operation.
 */
export function routeOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

// --- internal ---

function paired(
  old: Contract['operations'],
  next: Contract['operations'],
): { pairs: { old: Operation; new: Operation }[]; gone: readonly Operation[]; added: readonly Operation[] } {
  const pairs: { old: Operation; new: Operation }[] = [];
  let [gone, added] = [old, next];
  const exact = ({ method, path }: Operation): string => `${method} ${path}`;
  for (const key of [exact, routeOf, ({ id }: Operation) => id]) {
    const byKey = new Map(added.map((operation) => [key(operation), operation]));
    const taken = new Set<Operation>();
    gone = gone.filter((operation) => {
      const found = byKey.get(key(operation));
      if (found === undefined || taken.has(found)) return true;
      taken.add(found);
      pairs.push({ old: operation, new: found });
      return false;
    });
    added = added.filter((operation) => !taken.has(operation));
  }
  return { pairs, gone, added };
}

function compareNames(
  ledger: ChangeCollector,
  { old, new: next }: { readonly old: Operation; readonly new: Operation },
): void {
  const places = { before: old.pointer, after: next.pointer, operations: [next.id] };
  const address = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;
  if (routeOf(old) !== routeOf(next))
    ledger.add({
      ...{ kind: 'operation-moved', callers: 'wire', servers: 'wire' },
      says: `${next.id} was ${address(old)} and is ${address(next)}`,
      ...places,
    });
  if (old.id !== next.id)
    ledger.add({
      ...{ kind: 'operation-renamed', callers: 'code', servers: 'code' },
      says: `${old.id} is called ${next.id} now`,
      ...places,
    });
}
