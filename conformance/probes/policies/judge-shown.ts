import type { PolicyOf } from '../../../contract/index.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Json } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { OperationFacts } from './facts.ts';
import { shownSchema, differingMembers } from './differing-members.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

/** Judges that a thing is read as it was sent. */
export function* judgeShown(
  facts: OperationFacts<PolicyOf<'resource'>>,
  name: string,
  things: Things,
  seen: Exchange,
  { id, sent }: Pick<Thing, 'id' | 'sent'>,
): Generator<Check> {
  const { api } = facts;
  const shown = things.shownIn(seen);
  const reader = api.operation(seen.operation ?? '');
  const schema = reader && shownSchema(api, reader, seen, things.roles.item);
  const own = things.idIn(shown);
  const isOther = own !== undefined && String(own) !== String(id);
  // An id that the server assigns differs from that in the request, if a body can contain one.
  const wrong = isOther
    ? ['its id']
    : differingMembers(api, schema, thingIn(sent, things.roles.item), shown).filter(
        (member) => own === undefined || member !== facts.policy.id.member,
      );
  yield* facts.judge(
    name,
    seen,
    isSuccess(seen) && wrong.length === 0,
    `the thing ${String(id)} as it was sent`,
    isSuccess(seen) ? `${sketchAnswer(seen)}: other ${wrong.join(', ')}` : sketchAnswer(seen),
  );
}

// --- internal ---

/** The thing in the body that created it: where answers have it, if the body has an object there too. */
function thingIn(sent: Json | undefined, item: string | undefined): Json | undefined {
  const inner = item === undefined ? undefined : at(sent, item);
  return isObject(inner) ? (inner as Json) : sent;
}
