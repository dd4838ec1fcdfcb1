import { pairsOf } from './parameters.ts';
import type { ServedOperation, ServedParameter } from './served-api.ts';
import { decode, type RawPair } from './wire-values.ts';

export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: ServedOperation;
      /** Segments as in the target, with their escapes. */
      readonly segments: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'other-method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

/**
 * Finds the operation for a path and its query, which a template may name too: `/things/{id}?action=start`.
 * `HEAD` is handled by the operation for `GET`. A template with more fixed text takes precedence, then one with fewer
 * names. If a template has a fragment, the query must contain the parameters that its operation requires.
 *
 * @param query without `?`
 */
export type FindRoute = (method: string, path: string, query?: string) => Route;

export function routerOf(operations: readonly ServedOperation[]): FindRoute {
  const templates = operations
    .map((operation) => ({ operation, ...templateOf(operation) }))
    .sort((left, right) => right.fixed - left.fixed || left.names - right.names);
  const asWritten: FindRoute = (method, path, query = '') => {
    const parts = sameEscapes(path).split('/');
    const pairs = templates.some((template) => template.pairs.length > 0) ? pairsOf(query) : [];
    const found = templates.flatMap(({ operation, segments, pairs: wanted }) => {
      const values = valuesIn(segments, parts);
      const asked = values && valuesAsked(wanted, pairs);
      return asked === undefined ? [] : [{ operation, values: [...(values ?? []), ...asked] }];
    });
    const wanted = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
    for (const candidate of wanted) {
      const hit = found.find(({ operation }) => operation.method === candidate);
      if (hit !== undefined)
        return { kind: 'operation', operation: hit.operation, segments: Object.fromEntries(hit.values) };
    }
    if (found.length === 0) return { kind: 'none' };
    const methods = found.map(({ operation }) => operation.method);
    return {
      kind: 'other-method',
      allow: [...new Set(methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])))],
    };
  };
  return (method, path, query) => {
    const found = asWritten(method, path, query);
    if (found.kind === 'operation' || !path.includes('%')) return found;
    // Clients that escape each segment whole also escape fixed text, such as the colon of `/things/{id}:cancel`.
    const open = asWritten(method, path.replace(ESCAPED_DELIMITERS, decodeURIComponent), query);
    return open.kind === 'operation' ? open : found;
  };
}

// --- internal ---

/** The reserved characters that a segment may contain as they are (RFC 3986, section 3.3). */
const ESCAPED_DELIMITERS = /%(?:2[1467-9A-C]|3[ABD]|40)/gi;

/** One segment of a template: names with fixed text around them. */
interface Segment {
  readonly names: string[];
  /** One more text than names. */
  readonly literals: string[];
  readonly hints: Hints;
}

/** What is known of values, by their names: it says where one ends that has no text behind it. */
type Hints = ReadonlyMap<string, Hint>;

interface Hint {
  /** The text that a value begins with in the styles `label` and `matrix`. */
  readonly beginning: string;
  /** Its only values, as they can be in a target; the longest first. */
  readonly among: readonly string[];
  readonly isNumber: boolean;
}

interface Template {
  readonly segments: readonly Segment[];
  /** The pairs that the query must contain. */
  readonly pairs: readonly (readonly [name: string, value: Segment | undefined])[];
  /** The lengths of its fixed texts, and the number of its names. */
  readonly fixed: number;
  readonly names: number;
}

function templateOf({ path, parameters = [] }: ServedOperation): Template {
  const [inTarget = '', fragment] = path.split('#');
  const at = inTarget.indexOf('?');
  const query = at < 0 ? '' : inTarget.slice(at + 1);
  const hints = new Map(
    parameters.filter((parameter) => parameter.in === 'path').map((each) => [each.name, hintOf(each)]),
  );
  const { segments, fixed } = segmentsOf(at < 0 ? inTarget : inTarget.slice(0, at), hints);
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): Template['pairs'][number] => {
      const [name = '', ...value] = pair.split('=');
      const text = value.join('=');
      const isFixed = !/\{[^{}]*\}/.test(text);
      const written = isFixed ? encodeURIComponent(decode(text)) : text;
      return [decode(name), value.length === 0 ? undefined : segmentsOf(written, hints).segments[0]];
    });
  // Clients do not send fragments.
  const needed =
    fragment === undefined ? [] : parameters.filter((each) => each.in === 'query' && each.required);
  return {
    segments,
    pairs: [...pairs, ...needed.map(({ name }) => [name, undefined] as const)],
    fixed: fixed + [query.replace(/\{[^{}]*\}/g, ''), ...needed.map(({ name }) => name)].join('').length,
    names: segments.flatMap((segment) => segment.names).length,
  };
}

function hintOf({ name, style, explode, among = [], reads }: ServedParameter): Hint {
  const written = among.flatMap((text) => [text, encodeURIComponent(text)]).map(sameEscapes);
  const beginning = style === 'matrix' ? (explode ? ';' : `;${encodeURIComponent(name)}`) : '';
  return {
    beginning: style === 'label' ? '.' : beginning,
    among: written.sort((left, right) => right.length - left.length),
    isNumber: reads?.kinds.every((kind) => kind === 'number') === true,
  };
}

function segmentsOf(
  path: string,
  hints: Hints,
): { readonly segments: readonly Segment[]; readonly fixed: number } {
  const first: Segment = { names: [], literals: [''], hints };
  const segments = [first];
  let segment = first;
  let fixed = 0;
  // Fixed text as it is in a target, with the escapes that a URL requires.
  const escaped = (text: string): string => sameEscapes(text.replace(/[^\x21-\x7E]/gu, encodeURIComponent));
  path.split(/\{([^{}]*)\}/).forEach((text, index) => {
    if (index % 2 === 1) {
      segment.names.push(text);
      segment.literals.push('');
      return;
    }
    fixed += text.length;
    text.split('/').forEach((literal, piece) => {
      if (piece > 0) segments.push((segment = { names: [], literals: [''], hints }));
      segment.literals[segment.literals.length - 1] += escaped(literal);
    });
  });
  return { segments, fixed };
}

/** Escapes are case-insensitive. */
function sameEscapes(text: string): string {
  return text.includes('%') ? text.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase()) : text;
}

type Values = (readonly [name: string, value: string])[];

function valuesIn(segments: readonly Segment[], parts: readonly string[]): Values | undefined {
  if (segments.length !== parts.length) return undefined;
  const values: Values = [];
  for (const [index, segment] of segments.entries()) {
    const found = valuesOf(segment, parts[index] ?? '');
    if (found === undefined) return undefined;
    values.push(...found);
  }
  return values;
}

/**
 * The values in a query for the names of a template. A name without a value in the template matches any
 * value.
 */
function valuesAsked(wanted: Template['pairs'], pairs: readonly RawPair[]): Values | undefined {
  const values: Values = [];
  for (const [name, value] of wanted) {
    const given = pairs.find(([key]) => key === name)?.[1];
    if (given === undefined) return undefined;
    const isFixed = value?.names.length === 0;
    const found =
      value === undefined ? [] : valuesOf(value, isFixed ? encodeURIComponent(decode(given)) : given);
    if (found === undefined) return undefined;
    values.push(...found);
  }
  return values;
}

/**
 * The values in one segment of a path. If a segment can be read in several ways, the first name is as long as
 * possible. The text between names is searched from the end, once for each, so that the time is linear in the
 * length. Without such a text, what is known of the values decides; else a value is as short as possible, but not empty.
 */
function valuesOf({ names, literals, hints }: Segment, part: string): Values | undefined {
  const before = literals[0] ?? '';
  const behind = literals.at(-1) ?? '';
  if (names.length === 0) return part === before ? [] : undefined;
  let end = part.length - behind.length;
  if (end < before.length || !part.startsWith(before) || !part.endsWith(behind)) return undefined;
  const values: Values = [];
  for (let index = names.length - 1; index > 0; index -= 1) {
    const literal = literals[index] ?? '';
    const name = names[index] ?? '';
    const wanted = literal + (hints.get(name)?.beginning ?? '');
    const last = end - Math.max(wanted.length, 1);
    const known =
      wanted === ''
        ? betweenOf(
            index === 1 ? hints.get(names[0] ?? '') : undefined,
            hints.get(name),
            part,
            before.length,
            end,
          )
        : undefined;
    const at = known ?? (last < 0 ? -1 : part.lastIndexOf(wanted, last));
    if (at < before.length) return undefined;
    values.unshift([name, part.slice(at + literal.length, end)]);
    end = at;
  }
  values.unshift([names[0] ?? '', part.slice(before.length, end)]);
  return values;
}

/**
 * Where one value ends and the next begins, if there is no text between them; `undefined` if neither says it.
 *
 * @param left of the value that begins at `start`
 * @param right of the value that ends at `end`
 */
function betweenOf(
  left: Hint | undefined,
  right: Hint | undefined,
  part: string,
  start: number,
  end: number,
): number | undefined {
  const isInside = (at: number): boolean => at > start && at < end;
  const behind = right?.among.find((text) => part.endsWith(text, end) && isInside(end - text.length));
  if (behind !== undefined) return end - behind.length;
  const ahead =
    left?.among.find((text) => part.startsWith(text, start)) ??
    (left?.isNumber === true ? /^[+-]?\d+(?:\.\d+)?/.exec(part.slice(start, end))?.[0] : undefined);
  return ahead !== undefined && isInside(start + ahead.length) ? start + ahead.length : undefined;
}
