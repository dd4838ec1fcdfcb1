import { isRecord } from '../../contract/index.ts';
import type { JsonObject } from '../../contract/model.ts';
import { memberAt } from '../../contract/policies/member-at.ts';
import type { LooseReply } from '../../engine/handler.ts';
import { describeMisfits } from '../../engine/input.ts';
import { Refusal } from '../../engine/refusal.ts';
import { resultsBody, type CreationResult } from './collection-results.ts';
import { badInput, successOf } from './declared-answers.ts';
import type { NewThings } from './new-things.ts';
import type { At } from './resource-access.ts';
import type { Row } from './tables.ts';

/**
 * Creates the things of a list: each by itself if a result has a status, else all or none.
 *
 * @returns `undefined` if the request contains no list, or the document declares an answer of another form
 * @throws {Refusal} if one thing cannot be created, and none is
 * @throws {RangeError} if one is invalid, and none is created
 */
export function createdMany(at: At, newThings: NewThings): LooseReply | undefined {
  const { collection, operation, table, call } = at;
  const { send, status } = collection.policy.many ?? {};
  const sent: unknown = send === undefined ? call.input['body'] : memberAt(call.input['body'], send);
  if (!Array.isArray(sent)) return undefined;
  const wrong = collection.judgedThings(operation, call.input['body']).things;
  const invalid = badInput(operation);
  const made: Row[] = [];
  const createOne = (thing: unknown, index: number): CreationResult => {
    const misfits = wrong.get(index) ?? [];
    if (misfits.length > 0) {
      const says = describeMisfits(misfits.map((misfit) => ({ ...misfit, in: 'body' })));
      if (status === undefined) throw new RangeError(says);
      return { status: invalid, says };
    }
    const body = isRecord(thing) ? (thing as JsonObject) : {};
    try {
      newThings.requireFree(at, body);
      const row = newThings.create(at, body);
      made.push(row);
      return { status: 201, row };
    } catch (error) {
      if (!(error instanceof Refusal) || status === undefined) throw error;
      return { status: error.options.status ?? invalid, says: error.message };
    }
  };
  let results: readonly CreationResult[];
  try {
    results = (sent as unknown[]).map(createOne);
  } catch (error) {
    for (const row of made) table.delete(row);
    throw error;
  }
  call.note(`created ${String(made.length)} of ${String(results.length)} things`);
  const whole = successOf(operation, status === undefined ? [201, 200, 202] : [207, 200, 201, 202]) ?? 201;
  const body = resultsBody(collection, operation, whole, results);
  return body === undefined ? undefined : { status: whole, body };
}
