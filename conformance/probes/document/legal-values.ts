import { isRecord } from '../../../contract/index.ts';
import type { Json, MediaType, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf, propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { at, isObject } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { isValid } from './values.ts';
import { isOfAnotherThing } from './variants.ts';

/** A value at a place of a body. */
export interface LegalValue {
  readonly path: readonly string[];
  readonly value: Json;
}

/** How many bodies carry the values at most. */
export const MOST_ROUNDS = 8;

/**
 * Values that the document allows at some members of a body and below them, in rounds: each round has at most one for each
 * place, and together they make a valid body. The ends of ranges, both truth values, each named value, a time of another
 * zone, a text of two lines and the longest one, lists with none and two, and in the last round as little as possible.
 *
 * @param members dotted paths. Values that must be unique stay, and so do those that name other things.
 */
export function legalRounds(
  api: OwnApi,
  operation: Operation,
  value: Json,
  members: readonly string[],
): readonly (readonly LegalValue[])[] {
  const content = sentContent(operation);
  if (content?.schema === undefined) return [];
  const kept = keptPaths(api, operation);
  const isKept = (path: readonly string[]): boolean => kept.includes(path.join('.'));
  const places = members
    .flatMap((member) =>
      propertyAt(content.schema, member, api.root)
        .slice(0, 1)
        .flatMap((schema) => placesIn(api, schema, member.split('.'))),
    )
    .filter(({ path }) => !isKept(path))
    .slice(0, MOST_PLACES);
  const rounds = Array.from({ length: MOST_ROUNDS - 1 }, (_, round) =>
    places.flatMap(({ path, values }): readonly LegalValue[] => {
      const own = values[round];
      return own === undefined ? [] : [{ path, value: own }];
    }),
  );
  const least = members.flatMap((member): readonly LegalValue[] => {
    const path = member.split('.');
    const smaller = leastAt(api, content, value, path, kept);
    return smaller === undefined ? [] : [{ path, value: smaller }];
  });
  return [...rounds, least]
    .map((round) => fitting(api, content, value, round))
    .filter((round) => round.length > 0);
}

/** The text of a body with these values. Zero keeps its sign, which no JSON of an engine writes. */
export function spelt(value: Json, values: readonly LegalValue[]): string {
  const body = values.reduce(
    (whole, one) => putAt(whole, one.path, Object.is(one.value, -0) ? MINUS_ZERO : one.value),
    value,
  );
  return JSON.stringify(body).replaceAll(JSON.stringify(MINUS_ZERO), '-0');
}

// --- internal ---

const MOST_PLACES = 60;
const DEEPEST = 3;
const MINUS_ZERO = 'tallystick: minus zero';

interface Place {
  readonly path: readonly string[];
  readonly values: readonly Json[];
}

/** The values that have to be unique. */
function keptPaths({ contract }: OwnApi, { id }: Operation): readonly string[] {
  return (contract.sheet?.policies ?? []).flatMap((policy) =>
    policy.kind === 'uniqueness' && policy.operations.includes(id) ? [policy.member] : [],
  );
}

function placesIn(api: OwnApi, schema: Schema, path: readonly string[]): readonly Place[] {
  const own = followed(api.root, schema);
  if (!isRecord(own) || own['readOnly'] === true || own['writeOnly'] === true) return [];
  const inner = propertiesOf(schema, api.root);
  if (inner.length > 0)
    return path.length > DEEPEST ? [] : inner.flatMap(([name, part]) => placesIn(api, part, [...path, name]));
  const values = valuesOf(api, own, path.at(-1) ?? '');
  return values.length === 0 ? [] : [{ path, values }];
}

function valuesOf(api: OwnApi, own: Readonly<Record<string, unknown>>, name: string): readonly Json[] {
  const { type, format, minimum = 0, maximum, items } = own;
  if (Array.isArray(own['enum'])) return own['enum'] as Json[];
  const [first] = [type].flat();
  if (first === 'boolean') return [false, true];
  if (first === 'integer') return [Number(minimum), Number(maximum ?? 12)];
  if (first === 'number')
    return [Number(minimum), Number(maximum ?? 1000.5), Number(minimum) + 1e-7, -0, Number(minimum) + 2.5];
  if (first === 'string' && format === 'date-time')
    return ['2026-01-05T11:00:00+02:00', '2026-01-05T09:00:00.250Z'];
  if (isOfAnotherThing(name)) return [];
  if (first === 'string' && format === undefined && own['pattern'] === undefined)
    return ['Two\nlines', 'One', ...longest(own['maxLength'])];
  const item = first === 'array' ? followed(api.root, items) : undefined;
  return isRecord(item) && item['type'] === 'string' && item['format'] === undefined
    ? [[], ['one', 'two']]
    : [];
}

/** As many letters as the document allows, each of which has more bytes than one. */
function longest(most: unknown): readonly Json[] {
  return typeof most === 'number' && most > 0 && most <= LONGEST ? ['é'.repeat(most), '🙂'.repeat(most)] : [];
}

const LONGEST = 5000;

/** As little as the document demands at a place, and what has to be unique there. */
function leastAt(
  api: OwnApi,
  content: MediaType,
  value: Json,
  path: readonly string[],
  kept: readonly string[],
): Json | undefined {
  const own = at(value, path.join('.'));
  if (!isObject(own)) return undefined;
  const isKept = (name: string): boolean => kept.some((one) => one.startsWith([...path, name].join('.')));
  let least = own as Readonly<Record<string, Json>>;
  for (const name of Object.keys(own)) {
    const { [name]: _, ...others } = least;
    if (!isKept(name) && isValid(api, content, putAt(value, path, others))) least = others;
  }
  return least === own ? undefined : least;
}

/** Those of the values that make a valid body, one after the other. */
function fitting(
  api: OwnApi,
  content: MediaType,
  value: Json,
  round: readonly LegalValue[],
): readonly LegalValue[] {
  let whole = value;
  return round.filter((one) => {
    const next = putAt(whole, one.path, one.value);
    const isLegal = isValid(api, content, next);
    if (isLegal) whole = next;
    return isLegal;
  });
}

/** The body with a value at a path, whose objects are made where they are missing. */
function putAt(value: Json, [name, ...rest]: readonly string[], fresh: Json): Json {
  if (name === undefined) return fresh;
  const whole = isRecord(value) ? value : {};
  return { ...whole, [name]: putAt((whole[name] ?? null) as Json, rest, fresh) } as Json;
}
