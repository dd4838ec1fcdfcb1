import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { textOfSameForm } from '../document/variants.ts';
import { pathParameters } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import type { Role, Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** How many ids are tried at most until one does not exist. */
export const MOST_IDS = 3;

/** The path of a thing that does not exist. Short ids can belong to other things, which a read shows. */
export async function valuesOfNothing(
  facts: OperationFacts<Resource>,
  things: Things,
  thing: Thing,
  session: Session,
): Promise<Values> {
  const { parameter } = things.roles;
  const own = String(thing.id);
  const few = new NotExercised('an opportunity', `each id in the form of ${own} can belong to something`);
  // Another scenario can make what did not exist a moment ago.
  if (/^\D$/.test(own)) throw few;
  let values: Values = {};
  for (let time = 0; time < MOST_IDS; time += 1) {
    values = { ...thing.values, [parameter]: idOfNothing(facts, things, thing, session) };
    const text = String(values[parameter]);
    if (things.operation('read') === undefined || text.length > LONG_ID) return values;
    const seen = await things.call(session, 'read', values);
    if (!isSuccess(seen) || String(things.idIn(things.shownIn(seen))) !== text) return values;
  }
  if (own.length < FEW_IDS) throw few;
  return values;
}

// --- internal ---

/** Generated ids are never longer. */
const LONG_ID = 12;
/** There are so few ids of fewer characters that each can belong to something. */
const FEW_IDS = 4;

/** An id in the server's own form that does not exist. */
function idOfNothing(
  { policy, api }: OperationFacts<Resource>,
  things: Things,
  { id }: Thing,
  session: Session,
): Values[string] {
  const far = 1_000_000 + Number.parseInt(session.freshKey().slice(0, 5), 16);
  const declared = ['read', 'replace', 'patch', 'delete']
    .map((role) => things.operation(role as Role))
    .flatMap((operation) => (operation === undefined ? [] : pathParameters(operation)))
    .find(({ name }) => name === things.roles.parameter);
  const text = String(id);
  const kept = policy.id.prefix?.length ?? 0;
  const [, head = '', digits] = /^(.*?)(\d{1,15})$/.exec(text) ?? [];
  const others =
    typeof id === 'number'
      ? [id + far, id + 1000]
      : [
          ...(digits === undefined || digits.length > 9 ? [] : [`${head}${Number(digits) + far}`]),
          // Ids can be counted with letters as well: without zeros in front, it is far from any other.
          textOfSameForm(
            `${text.slice(0, kept)}${text.slice(kept).replaceAll('0', '1')}`,
            session.freshKey,
            kept,
          ),
          textOfSameForm(text, session.freshKey, kept),
          // The name of the kind of thing, such as the `cus_` of an id.
          textOfSameForm(text, session.freshKey, /^[a-z]{1,8}[_-]/i.exec(text)?.[0].length ?? kept),
        ];
  const found = others.find(
    (other) => other !== id && (declared === undefined || api.misfits(declared, other).length === 0),
  );
  if (found === undefined)
    throw new NotExercised('an opportunity', `no other id in the form of ${text} is known`);
  return found;
}
