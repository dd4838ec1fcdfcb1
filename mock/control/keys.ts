import { createHash } from 'node:crypto';
import { ControlMistake, type KeyEntries, type KeyHolder } from './api-control.ts';
import { callerName } from '../call/caller.ts';
import { partsOfKeyId } from '../state/key-ledger.ts';
import type { Assembly } from '../assembly.ts';
import type { DueEvent, KeyShape } from './steering-shape.ts';
import type { Journal } from '../journal/journal.ts';

/** All keys of all callers, of every API that has keys. */
export function keysOf(assembly: Pick<Assembly, 'apis'>, journal: Pick<Journal, 'outlines'>): KeyShape[] {
  const numbers = new Map<string, number[]>();
  for (const { caller, key, number } of journal.outlines()) {
    if (key === undefined) continue;
    const name = `${caller ?? ''}\n${key}`;
    numbers.set(name, [...(numbers.get(name) ?? []), number]);
  }
  return holdersOf(assembly).flatMap(({ api, holder }) =>
    [...entriesOf(holder)].map(([stored, { state, bodyHash, expiresAt, ...named }]) => {
      const [scope, stated] = partsOfKeyId(stored);
      const { caller = callerName(scope), key = stated, semantics = holder.semantics } = named;
      const exchanges = numbers.get(`${caller}\n${key}`) ?? [];
      return { id: idOf(api, stored), api, semantics, caller, key, state, bodyHash, expiresAt, exchanges };
    }),
  );
}

/** Forgets one key, or lets it expire now. A key whose call is still running can only be forgotten. */
export function changeKey(assembly: Pick<Assembly, 'apis'>, id: string, change: 'forget' | 'expire'): void {
  for (const { api, holder } of holdersOf(assembly)) {
    for (const [stored, { state }] of entriesOf(holder)) {
      if (idOf(api, stored) !== id) continue;
      if (change === 'forget') holder.ledger().put(stored, undefined);
      else if (state === 'in-flight') throw new ControlMistake('The call of this key is still running.', 409);
      else holder.ledger().expire(stored);
      return;
    }
  }
  throw new ControlMistake(`Key ${id} does not exist.`, 404);
}

/** When keys expire by themselves. */
export function dueKeys(keys: readonly KeyShape[], now: number): DueEvent[] {
  return keys.flatMap(({ id, key, expiresAt }) =>
    expiresAt === undefined || expiresAt <= now
      ? []
      : [{ at: expiresAt, kind: 'key' as const, id, what: `key ${key} expires` }],
  );
}

// --- internal ---

function holdersOf({ apis }: Pick<Assembly, 'apis'>): { readonly api: string; readonly holder: KeyHolder }[] {
  return apis.flatMap(({ contract, control }) =>
    control?.keys === undefined ? [] : [{ api: contract.name, holder: control.keys }],
  );
}

function entriesOf({ ledger, entries = () => ledger().entries() }: KeyHolder): KeyEntries {
  return entries();
}

/** A hash, because the stored name of a key can contain a token. */
function idOf(api: string, stored: string): string {
  return createHash('sha256').update(`${api}\n${stored}`).digest('base64url').slice(0, 20);
}
