import type { JsonObject } from '../../contract/model.ts';
import { idParameter } from '../../contract/policies/resource.ts';
import { singular } from '../../contract/text/singular.ts';
import { wordsOf } from '../samples/lifelike-text.ts';
import type { Collection } from './collection.ts';
import type { Row, Tables } from './tables.ts';
import { idOf } from './thing.ts';

/**
 * The members of a generated thing that name another one, such as `vehicleId`, or `assignee_id` whose description says that it is
 * an agent: they name things that exist.
 */
export function referred(
  { item, within }: Row,
  collection: Collection,
  others: readonly Collection[],
  tables: Tables,
): JsonObject {
  // Below the same parents, if there are any.
  const near = others.filter(({ parents }) => parents.names.every((name) => within[name] !== undefined));
  const found = collection.members.flatMap((name) => {
    const isId = name !== collection.policy.id.member && /_id$/.test(wordsOf(name));
    if (!isId || typeof item[name] !== 'string') return [];
    const other = near.find((one) => isMeant(one, name, collection.member(name)['description']));
    const rows =
      other === undefined ? [] : tables.table(other.policy.collection).rows(aboveOf(other, within));
    const row = rows[parseInt(collection.hash(`${name} ${item[name]}`).slice(0, 6), 16) % rows.length];
    if (other === undefined || row === undefined) return [];
    return [[name, idOf(other, row.id)[other.policy.id.member] ?? row.id] as const];
  });
  return { ...item, ...Object.fromEntries(found) };
}

// --- internal ---

function aboveOf({ parents }: Collection, within: Row['within']): Row['within'] {
  return Object.fromEntries(parents.names.map((name) => [name, within[name] ?? '']));
}

function isMeant({ policy }: Collection, name: string, description: unknown): boolean {
  const one = singular(wordsOf(policy.collection));
  const words = wordsOf(name);
  const isNamed = words === `${one}_id` || words === wordsOf(idParameter(policy));
  const says = typeof description === 'string' ? wordsOf(description) : '';
  return isNamed || (words !== 'id' && new RegExp(`(?:^|_)${one}(?:_|$)`).test(says));
}
