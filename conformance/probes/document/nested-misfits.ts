import { isRecord } from '../../../contract/index.ts';
import type { Json, MediaType, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import type { FuzzedBody } from '../../fuzz/negative-arbitrary.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import type { OwnApi } from '../own-api.ts';

/**
 * Bodies with one fault anywhere below their members: servers often check only the outermost ones. A list as a text and with an
 * empty place, an object as a list, a listed text with a blank behind it.
 */
export function nestedMisfits(api: OwnApi, content: MediaType, valid: Json): readonly FuzzedBody[] {
  const places = placesIn(api, content.schema, valid, []);
  return KINDS.flatMap((kind) =>
    spread(
      places.flatMap(({ path, schema }): readonly FuzzedBody[] => {
        const value = kind(api, schema);
        if (value === undefined) return [];
        const body = withValue(valid, path, value);
        const found = api.bodies.judge('request', content, body);
        const pointer = `/${path.join('/')}`;
        const isWrong =
          Array.isArray(found) && found.length > 0 && found.every((one) => one.pointer.startsWith(pointer));
        return isWrong ? [{ body, says: `${pointer}: ${JSON.stringify(value)}` }] : [];
      }),
    ),
  );
}

/** Numbers that a server takes which rounds, keeps few decimals, or reads the beginning of a text. */
export function nearNumbers({ type, minimum, maximum }: Readonly<Record<string, unknown>>): readonly Json[] {
  if (![type].flat().includes('number')) return [];
  const [least, most] = [minimum, maximum].map((one) => (typeof one === 'number' ? one : undefined));
  return [
    ...(most === undefined ? [] : [most + 0.4, most + 0.00001, Math.max(1e16, most * 2)]),
    ...(least === undefined ? [] : [least === 0 ? -1e-30 : least - 0.00001]),
    ...(least === undefined || most === undefined ? [] : [`${(least + most) / 2}%`]),
  ];
}

// --- internal ---

interface Place {
  readonly path: readonly (string | 0)[];
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Of each kind: the first ones, and the deepest. */
const MOST_OF_A_KIND = 4;
const MOST_PLACES = 400;
const DEEPEST = 5;

const is = ({ type }: Readonly<Record<string, unknown>>, name: string): boolean =>
  [type].flat().includes(name);

const KINDS: readonly ((api: OwnApi, schema: Place['schema']) => Json | undefined)[] = [
  (_, schema) => (is(schema, 'array') ? 'text' : undefined),
  (api, schema) =>
    is(schema, 'array')
      ? [smallestValue(api.root, (schema['items'] ?? {}) as Schema) as Json, null]
      : undefined,
  (api, schema) => (is(schema, 'object') ? [smallestValue(api.root, schema as Schema) as Json] : undefined),
  (_, { enum: values }) => {
    const first = Array.isArray(values) ? (values[0] as unknown) : undefined;
    return typeof first === 'string' ? `${first} ` : undefined;
  },
];

/** The places of members below those of a body, also of members that it lacks. */
function placesIn(api: OwnApi, schema: unknown, value: unknown, path: Place['path']): readonly Place[] {
  if (path.length >= DEEPEST) return [];
  const found: Place[] = [];
  for (const [name, inner] of propertiesOf(schema as Schema, api.root)) {
    const described = followed(api.root, inner);
    if (!isRecord(described) || described['readOnly'] === true) continue;
    const below = [...path, name];
    found.push({ path: below, schema: described });
    const { items } = described;
    const item = is(described, 'array') ? followed(api.root, items) : undefined;
    if (isRecord(item)) found.push(...placesIn(api, item, undefined, [...below, 0]));
    else found.push(...placesIn(api, described, isRecord(value) ? value[name] : undefined, below));
    if (found.length > MOST_PLACES) break;
  }
  return found;
}

/** The first ones in the order of the document, and those that are deepest. */
function spread(bodies: readonly FuzzedBody[]): readonly FuzzedBody[] {
  const depth = ({ says }: FuzzedBody): number => says.split(':')[0]?.split('/').length ?? 0;
  const deep = bodies.toSorted((one, other) => depth(other) - depth(one));
  return [...new Set([...bodies.slice(0, MOST_OF_A_KIND / 2), ...deep])].slice(0, MOST_OF_A_KIND);
}

/** The value with another one at a path; what it lacks on the way is made. */
function withValue(value: unknown, [name, ...rest]: Place['path'], inner: Json): Json {
  if (name === undefined) return inner;
  if (name === 0) {
    const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : [];
    return [withValue(first, rest, inner), ...(others as Json[])];
  }
  const members = isRecord(value) ? value : {};
  return { ...members, [name]: withValue(members[name], rest, inner) } as Json;
}
