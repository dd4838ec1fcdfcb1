import type { JsonObject } from '../../contract/model.ts';
import { idParameter } from '../../contract/policies/resource.ts';
import type { At } from './resource-access.ts';
import { madeId } from './thing.ts';

/** The id of a thing that a call creates. */
export function newId({ collection, operation, table, call }: At, body: JsonObject): string {
  const { id } = collection.policy;
  const fromPath = call.input[idParameter(collection.policy)];
  if (fromPath !== undefined && operation.path.includes(`{${idParameter(collection.policy)}}`))
    return String(fromPath);
  if (id.form === 'caller' && body[id.member] !== undefined) return String(body[id.member]);
  const within = collection.parents.within(call.input);
  let made = madeId(collection, table.made + 1);
  for (let n = 2; n < MOST_TRIES && table.get(within, made) !== undefined; n += 1)
    made = madeId(collection, table.made + n);
  return made;
}

// --- internal ---

/** With a narrow pattern, generated ids can collide. */
const MOST_TRIES = 20;
