import { canonical } from '../../../contract/canonical-json.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf, propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { isObject, isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { sentContent } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { shownSchema } from './differing-members.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';
import { changed } from './changed-thing.ts';

type Resource = PolicyOf<'resource'>;

/** Patches a list twice: the second list replaces the first one (RFC 7396, section 2). */
export async function* relisted(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, reader }: { thing: Thing; reader: Operation },
): AsyncGenerator<Check> {
  const { root } = facts.api;
  const lists = patchedMembers(facts).flatMap(([name, schema]) => {
    const list = followed(root, schema);
    const [one, other] = isObject(list) ? twoValues(facts, list['items']) : [];
    const isTaken = [one, other].every(
      (item) => item !== undefined && things.bodies.takes('patch', { [name]: [item] }),
    );
    return isTaken ? [{ name, one, other }] : [];
  });
  for (const { name, one, other } of lists.slice(0, 1)) {
    const first = await changed(session, things, 'patch', thing, { [name]: [one as Json] });
    const schema = shownSchema(facts.api, reader, first.now, things.roles.item);
    const shown = (seen: Exchange): string => canonical(member(things.shownIn(seen), name)) ?? 'none';
    const isShown = shown(first.now) === canonical([one]);
    const old = [member(thing.sent, name)].flat().filter((item) => item !== undefined && item !== one);
    const now = [member(things.shownIn(first.now), name)].flat();
    const isAdded =
      isSuccess(first.seen) && now.includes(one) && now.some((item) => old.includes(item as Json));
    if (isAdded)
      yield* facts.judge(
        'patched',
        [first.seen, first.now],
        false,
        `${name} ${canonical([one]) ?? ''}, as the patch has it`,
        shown(first.now),
      );
    if (!isSuccess(first.seen) || !isShown || propertyAt(schema, name, root).length === 0) return;
    const second = await changed(session, things, 'patch', thing, { [name]: [other as Json] });
    if (!isSuccess(second.seen)) return;
    yield* facts.judge(
      'patched',
      [second.seen, second.now],
      shown(second.now) === canonical([other]),
      `${name} as the second patch has it`,
      shown(second.now),
    );
  }
}

/** Patches one of two members of an object: a merge patch keeps the other one (RFC 7396, section 2). */
export async function* merged(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, reader }: { thing: Thing; reader: Operation },
): AsyncGenerator<Check> {
  const { root } = facts.api;
  const pairs = patchedMembers(facts).flatMap(([name, schema]) => {
    const inner = propertiesOf(schema, root);
    const [[first, firstSchema], [second, secondSchema]] =
      inner.length < 2 ? UNNAMED : ([inner[0], inner[1]] as typeof UNNAMED);
    const [before, after] = twoValues(facts, firstSchema);
    const [kept] = twoValues(facts, secondSchema);
    const bodies = [{ [first]: before, [second]: kept }, { [first]: after }] as Json[];
    return [before, after, kept].every((value) => value !== undefined) &&
      bodies.every((body) => things.bodies.takes('patch', { [name]: body }))
      ? [{ name, first, second, bodies, kept }]
      : [];
  });
  for (const { name, first, second, bodies, kept } of pairs.slice(0, 1)) {
    const [whole, part] = bodies as [Json, Json];
    const both = await changed(session, things, 'patch', thing, { [name]: whole });
    const schema = shownSchema(facts.api, reader, both.now, things.roles.item);
    const shows = (seen: Exchange): boolean => member(member(things.shownIn(seen), name), second) === kept;
    // Nothing is judged if the server refuses these values or does not show them.
    if (!isSuccess(both.seen) || !shows(both.now) || propertyAt(schema, name, root).length === 0) return;
    const one = await changed(session, things, 'patch', thing, { [name]: part });
    if (!isSuccess(one.seen)) return;
    yield* facts.judge(
      'patched',
      [both.now, one.seen, one.now],
      shows(one.now),
      `${name}.${second} as before, after a patch of ${name}.${first}`,
      `${name}: ${JSON.stringify(member(things.shownIn(one.now), name)) ?? 'none'}`,
    );
  }
}

/** Sets members within an object to null, which removes them (RFC 7396, section 2). */
export async function* emptiedInner(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, patch }: { thing: Thing; patch: Readonly<Record<string, unknown>> },
): AsyncGenerator<Check> {
  for (const [name] of patchedMembers(facts)) {
    const given = member(patch, name);
    const [inner] = isObject(given) ? Object.keys(given) : [];
    if (inner === undefined || !things.bodies.takes('patch', { [name]: { [inner]: null } })) continue;
    const shown = (seen: Exchange): unknown => member(member(things.shownIn(seen), name), inner) ?? null;
    const set = await changed(session, things, 'patch', thing, { [name]: given as Json });
    if (!isSuccess(set.seen) || shown(set.now) === null) return;
    const { seen, now } = await changed(session, things, 'patch', thing, { [name]: { [inner]: null } });
    if (!isSuccess(seen)) return;
    yield* facts.judge(
      'patched',
      [set.now, seen, now],
      shown(now) === null,
      `no ${name}.${inner} after a patch with null`,
      `${name}.${inner} is still there`,
    );
    return;
  }
}

// --- internal ---

/** The members that are sent in an object whose schema names none. */
const UNNAMED: readonly [readonly [string, unknown], readonly [string, unknown]] = [
  ['first', {}],
  ['second', {}],
];

/** The members that a merge patch may change; none if the operation takes another kind of patch. */
function patchedMembers({ api, operation }: OperationFacts<Resource>): ReturnType<typeof propertiesOf> {
  const content = sentContent(operation);
  const isMergePatch = content !== undefined && /merge-patch/i.test(content.mediaType);
  return isMergePatch ? propertiesOf(content.schema, api.root) : [];
}

/** Two plain values that a schema allows: texts if it has no type, nothing for lists and objects. */
function twoValues({ api }: OperationFacts<Resource>, schema: unknown): readonly (Json | undefined)[] {
  const described = followed(api.root, schema);
  const { enum: values, type = 'string' } = isObject(described) ? described : {};
  if (Array.isArray(values)) return (values as Json[]).slice(0, 2);
  const kind = [type].flat().find((one) => one !== 'null');
  return kind === 'string' ? ['one', 'two'] : kind === 'integer' || kind === 'number' ? [1, 2] : [];
}
