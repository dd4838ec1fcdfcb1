import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { textOfSameForm } from '../document/variants.ts';
import type { OperationFacts } from './facts.ts';
import type { Role, Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** The name of the planned request whose body has another id. */
export const RENAMED = 'with another id';

/** Changes a thing and reads it. */
export async function changed(
  session: Session,
  things: Things,
  role: Role,
  { values }: Thing,
  body: Json,
): Promise<{ readonly seen: Exchange; readonly now: Exchange }> {
  const seen = await things.call(session, role, values, { body });
  return { seen, now: await things.call(session, 'read', values) };
}

/** A refused change shows nothing: the body may not be one that the server accepts. */
export function refusedBy({ id }: Operation, seen: Exchange): NotExercised {
  return new NotExercised(`bodies.${id}`, `the change was refused: ${sketchAnswer(seen)}`);
}

/** A body with another id: a server may refuse or ignore it, but the thing keeps its id and its address. */
export async function* renamed(
  facts: OperationFacts<Resource>,
  name: 'patched' | 'replaced',
  things: Things,
  session: Session,
  { thing, body }: { readonly thing: Thing; readonly body: Json },
): AsyncGenerator<Check> {
  const { id, values } = thing;
  const { member: place } = facts.policy.id;
  const role = name === 'patched' ? 'patch' : 'replace';
  const other = typeof id === 'number' ? id + FAR_AWAY : textOfSameForm(String(id), session.freshKey);
  const sent = { ...(body as object), [place]: other } as Json;
  if (place.includes('.') || other === id) return;
  // It may be what the document forbids.
  const seen = await things.call(session, role, values, { body: sent, as: RENAMED });
  if (!isSuccess(seen)) return;
  const now = await things.call(session, 'read', values);
  yield* facts.judge(
    name,
    [seen, now],
    isSuccess(now) && String(things.idIn(things.shownIn(now)) ?? id) === String(id),
    `${String(id)} at its address ${String(values[things.roles.parameter])}, after a body with another ${place}`,
    sketchAnswer(now),
  );
}

// --- internal ---

/** Added to a number, to get one that no thing has. */
const FAR_AWAY = 1_000_000;
