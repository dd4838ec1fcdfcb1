import fc from 'fast-check';
import { listOf, mapOf, type Member, objectOf, ODD_NAMES, scalar, type Shape } from './shapes.ts';

export type Place = 'path' | 'query' | 'header' | 'cookie';

export interface RandomParameter {
  readonly name: string;
  readonly place: Place;
  readonly required: boolean;
  /** As the document has it. */
  readonly described: object;
  readonly values: fc.Arbitrary<unknown>;
}

/** Gives out each name once in an operation: an object that is spread has the names of its members in the same place. */
export interface Names {
  readonly take: (fits?: (name: string) => boolean) => string;
  /** Whether all names that are left in the query can still be had; once. */
  readonly takeRest: () => boolean;
}

export function namesFrom(shuffled: readonly string[]): Names {
  const left = [...shuffled];
  let hasRest = true;
  return {
    takeRest: () => {
      const had = hasRest;
      hasRest = false;
      return had;
    },
    take: (fits = () => true) => {
      const at = left.findIndex(fits);
      return left.splice(at, 1)[0] ?? '';
    },
  };
}

const TOKENS = [
  'X-Tenant',
  'x-b',
  'X.C',
  'x_d',
  "x'e",
  'X-1',
  'xF',
  'X-Body',
  '__proto__',
  'constructor',
  'class',
];
export const ALL_NAMES: readonly string[] = [...ODD_NAMES, ...TOKENS.slice(0, 8)];

const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** Which names a place can have: a path has them in braces, headers and cookies unencoded. */
const NAMED: Readonly<Record<Place, (name: string) => boolean>> = {
  path: (name) => !/[{}/]/.test(name),
  query: () => true,
  header: isToken,
  cookie: isToken,
};

/** What ends a value in its place, or cannot be there. Of most, encoding takes care. */
const inPath = (text: string): boolean => text !== '' && text !== '.' && text !== '..';
const inHeader = (text: string): boolean => /^[!-~](?:[ -~]*[!-~])?$/.test(text);

export function randomParameter(g: fc.GeneratorValue, place: Place, names: Names): RandomParameter {
  const name = names.take(NAMED[place]);
  const required = place === 'path' || g(fc.boolean);
  const found = { path, query, header, cookie }[place](g, names);
  return {
    ...{ name, place, required },
    described: { name, in: place, required, ...found.how },
    values: found.shape.sent,
  };
}

// --- internal ---

interface Found {
  readonly how: object;
  readonly shape: Shape;
}

type Kind = 'scalar' | 'list' | 'object' | 'map';
const kindOf = (g: fc.GeneratorValue): Kind =>
  g(fc.constantFrom, 'scalar', 'scalar', 'list', 'object', 'map') as Kind;

function styled(style: string, explode: boolean, shape: Shape, more: object = {}): Found {
  return { how: { style, explode, schema: shape.schema, ...more }, shape };
}

function asJson({ schema, ...values }: Shape): Found {
  return { how: { content: { 'application/json': { schema } } }, shape: { schema, ...values } };
}

function path(g: fc.GeneratorValue, names: Names): Found {
  const style = g(fc.constantFrom, 'simple', 'label', 'matrix', 'json');
  const explode = g(fc.boolean);
  if (style === 'json') return asJson(members(g, names, () => true));
  // A label has no escape for the full stop.
  const takes = style === 'label' && explode ? (text: string) => inPath(text) && !text.includes('.') : inPath;
  const kind = kindOf(g);
  if (kind === 'scalar') return styled(style, explode, g(scalar, inPath));
  if (kind === 'list') return styled(style, explode, listOf(g(scalar, takes)));
  return styled(style, explode, kind === 'map' ? map(g, takes) : members(g, names, takes, takes));
}

function query(g: fc.GeneratorValue, names: Names): Found {
  const style = g(fc.constantFrom, 'form', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json');
  if (style === 'json') return asJson(members(g, names, () => true));
  if (style === 'deepObject') return styled(style, true, deep(g, names, 2));
  const explode = g(fc.boolean);
  const more = g(fc.constantFrom, {}, {}, { allowReserved: true });
  const isReserved = 'allowReserved' in more;
  const delimiter =
    style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : isReserved ? ',' : undefined;
  // With `allowReserved`, what looks percent-encoded is sent as it is (RFC 6570, section 3.2.3).
  const isKept = (text: string): boolean => !isReserved || !/%[\dA-F]{2}/i.test(text);
  // A delimiter has no escape that is not a delimiter too; a list of one empty text is an empty list.
  const takes = (text: string): boolean =>
    isKept(text) && (explode || (text !== '' && (delimiter === undefined || !text.includes(delimiter))));
  const kind = kindOf(g);
  if (kind === 'scalar') return styled(style, explode, g(scalar, isKept), more);
  if (kind === 'list') return styled(style, explode, listOf(g(scalar, takes)), more);
  // What is spread under any names can be told from all other parameters, but not from another one of its kind.
  if (kind === 'map' && (!explode || names.takeRest())) return styled(style, explode, map(g, takes), more);
  return styled(style, explode, members(g, names, takes, takes), more);
}

function header(g: fc.GeneratorValue, names: Names): Found {
  if (g(fc.constantFrom, 0, 1, 2, 3) === 0) return asJson(members(g, names, () => true));
  const explode = g(fc.boolean);
  const takes = (text: string): boolean => inHeader(text) && !/[,=]/.test(text);
  const kind = kindOf(g);
  if (kind === 'scalar') return styled('simple', explode, g(scalar, inHeader));
  if (kind === 'list') return styled('simple', explode, listOf(g(scalar, takes)));
  return styled('simple', explode, kind === 'map' ? map(g, takes) : members(g, names, takes, takes));
}

function cookie(g: fc.GeneratorValue, names: Names): Found {
  if (g(fc.constantFrom, 0, 1, 2, 3) === 0) return asJson(members(g, names, () => true));
  const explode = g(fc.boolean);
  const takes = (text: string): boolean => explode || text !== '';
  const kind = kindOf(g);
  if (kind === 'scalar') return styled('form', explode, g(scalar));
  if (kind === 'list') return styled('form', explode, listOf(g(scalar, takes)));
  return styled('form', explode, members(g, names, takes, isToken));
}

/** An object of a few pieces. */
function members(
  g: fc.GeneratorValue,
  names: Names,
  takes: (text: string) => boolean,
  named: (name: string) => boolean = () => true,
): Shape {
  const count = g(fc.integer, { min: 1, max: 3 });
  return objectOf(
    Array.from({ length: count }, (): Member => ({
      name: names.take(named),
      shape: g(scalar, takes),
      required: g(fc.boolean),
    })),
  );
}

function map(g: fc.GeneratorValue, takes: (text: string) => boolean): Shape {
  return mapOf(g(scalar, takes), fc.constantFrom('free-1', 'free 2', 'freé').filter(takes));
}

/** Objects and lists inside objects, each with something in it. */
function deep(g: fc.GeneratorValue, names: Names, depth: number): Shape {
  const count = g(fc.integer, { min: 1, max: 3 });
  return objectOf(
    Array.from({ length: count }, (): Member => {
      const kind =
        depth === 0 ? 'scalar' : g(fc.constantFrom, 'scalar', 'scalar', 'list', 'object', 'objects');
      const shape =
        kind === 'scalar'
          ? g(scalar)
          : kind === 'list'
            ? listOf(g(scalar))
            : kind === 'objects'
              ? listOf(deep(g, names, depth - 1))
              : deep(g, names, depth - 1);
      return { name: names.take(), shape, required: g(fc.boolean) };
    }),
  );
}
