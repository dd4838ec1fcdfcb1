import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, JsonObject } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
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
  let has = known as JsonObject;
  let left = MOST_ALONE;
  for (const { name: member, bodies } of things.bodies.otherMembers(role, known))
    for (const body of bodies) {
      if (left === 0) return;
      left -= 1;
      const sent = role === 'patch' ? body : { ...has, [member]: body[member] as Json };
      const { seen, now } = await changed(session, things, role, thing, sent);
      // A server may refuse more than the document does.
      if (!isSuccess(seen)) continue;
      has = { ...has, ...sent };
      yield* judgeShown(facts, name, things, now, { id: thing.id, sent: has });
      break;
    }
  // Some servers take an empty text for none.
  const texts = Object.keys(has).filter((member) => has[member] !== '' && typeof has[member] === 'string');
  for (const member of texts) {
    const sent = role === 'patch' ? { [member]: '' } : { ...has, [member]: '' };
    if (left === 0 || !things.bodies.mayBeEmpty(role, member, sent)) continue;
    left -= 1;
    const { seen, now } = await changed(session, things, role, thing, sent);
    if (!isSuccess(seen)) continue;
    has = { ...has, ...sent };
    yield* judgeShown(facts, name, things, now, { id: thing.id, sent: has });
  }
}
