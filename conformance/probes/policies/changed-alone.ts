import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, JsonObject } from '../../../contract/model.ts';
import { contentFor } from '../../../contract/judge/bodies.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { put } from '../document/variants.ts';
import { responseFor } from '../own-api.ts';
import { changed } from './changed-thing.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

/** How many members are changed by themselves. */
export const MOST_ALONE = 10;

/**
 * Changes of one member each: the thing shows its new value, and the others as before. Where several change together, one that
 * is forgotten hides behind the others, as in the tag of the thing, which an oracle judges.
 *
 * @param known what the thing has
 */
export async function* changedAlone(
  facts: OperationFacts<PolicyOf<'resource'>>,
  name: 'patched' | 'replaced',
  things: Things,
  session: Session,
  { thing, known }: { readonly thing: Thing; readonly known: Json },
): AsyncGenerator<Check> {
  const role = name === 'patched' ? 'patch' : 'replace';
  const first = await things.call(session, 'read', thing.values);
  let has = known as JsonObject;
  let left = MOST_ALONE;
  /** What the call has changed; `undefined` if nothing was tried, or it was refused. */
  const change = async (member: string, value: Json): Promise<Exchange | undefined> => {
    // What a patch may send can be more than a thing may have.
    if (left === 0 || !mayHave(facts, things, first, member, value)) return undefined;
    left -= 1;
    const sent = role === 'patch' ? { [member]: value } : { ...has, [member]: value };
    const { seen, now } = await changed(session, things, role, thing, sent);
    // A server may refuse more than the document does.
    if (!isSuccess(seen)) return undefined;
    has = { ...has, ...sent };
    return now;
  };
  for (const { name: member, bodies } of things.bodies.otherMembers(role, known))
    for (const body of bodies) {
      const now = await change(member, body[member] as Json);
      if (now === undefined) continue;
      yield* judgeShown(facts, name, things, now, { id: thing.id, sent: has });
      break;
    }
  // Some servers take an empty text for none.
  for (const [member, value] of Object.entries(has)) {
    const sent = role === 'patch' ? { [member]: '' } : { ...has, [member]: '' };
    if (typeof value !== 'string' || value === '' || !things.bodies.mayBeEmpty(role, member, sent)) continue;
    const now = await change(member, '');
    if (now !== undefined) yield* judgeShown(facts, name, things, now, { id: thing.id, sent: has });
  }
}

// --- internal ---

/** Whether the document allows a read to show a thing with this value. */
function mayHave(
  { api }: OperationFacts<PolicyOf<'resource'>>,
  { roles: { item } }: Things,
  seen: Exchange,
  name: string,
  value: Json,
): boolean {
  const reader = api.operation(seen.operation ?? '');
  const content =
    reader && contentFor(responseFor(reader, seen.status)?.content ?? [], seen.header('content-type'));
  if (content === undefined) return true;
  const path = [...(item === undefined ? [] : item.split('.')), name];
  const found = api.bodies.judge('response', content, put(seen.json, path, value));
  return 'reason' in found || found.length === 0;
}
