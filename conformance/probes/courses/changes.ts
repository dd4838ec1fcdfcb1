import { canonical } from '../../../contract/canonical-json.ts';
import { isRecord } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { at } from '../../exchanges/exchange.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { isOfAnotherThing, otherBody } from '../document/variants.ts';
import type { Things } from '../policies/things.ts';

/**
 * Bodies of changes of a thing, each of another member if the document names several: those first that a server has no reason
 * to refuse.
 *
 * @param body that would make the thing as it is
 * @param kept members that have a meaning of their own, such as states and unique values
 */
export function changesOf(
  things: Things,
  session: Session,
  role: 'patch' | 'replace',
  { body, kept }: { readonly body: Json | undefined; readonly kept: ReadonlySet<string> },
): readonly Json[] {
  const operation = things.operation(role);
  const usual = things.bodies.change(session, role, body);
  const isGiven = Object.hasOwn(session.fixtures.bodies ?? {}, operation?.id ?? '');
  const create = things.operation('create');
  if (operation === undefined || create === undefined || isGiven || !isRecord(body) || !isRecord(usual))
    return usual === undefined ? [] : [usual];
  const names = Object.keys(body)
    .filter((name) => !kept.has(name))
    .sort((one, other) => Number(isOfAnotherThing(one)) - Number(isOfAnotherThing(other)));
  const changes = names.flatMap((name): readonly Json[] => {
    const takes = (each: string, value: Json): boolean =>
      each === name && (role === 'replace' || things.bodies.takesPatch(each, value));
    const base = role === 'patch' ? body : { ...usual, ...named(body, usual) };
    const other = otherBody(things.api, role === 'patch' ? create : operation, base as Json, takes);
    if (other === undefined) return [];
    return [role === 'patch' ? ({ [name]: other[name] } as Json) : other];
  });
  const all = changes.length === 0 ? [usual] : changes;
  return all.filter((one) => role === 'patch' || canonical(one) !== canonical(body)).slice(0, MOST_CHANGES);
}

/** The thing in a body: where answers have it, if the body has an object there too. */
export function thingIn(body: Json | undefined, item: string | undefined): Json | undefined {
  const inner = item === undefined ? undefined : at(body, item);
  return isRecord(inner) ? (inner as Json) : body;
}

// --- internal ---

const MOST_CHANGES = 3;

/** The members of a body that another one has as well. */
function named(body: Readonly<Record<string, unknown>>, other: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(other, name)));
}
