import type { WireType } from './served-api.ts';
import { decode, itemType, memberType, type RawPair, TEXT, valueOf } from './wire-values.ts';

/** The value of a parameter in the style `deepObject`; `undefined` if no pair has a name such as `name[k]`. */
export function deepValueOf(name: string, pairs: readonly RawPair[], reads: WireType): unknown {
  const members = pairs.flatMap(([key, raw]): DeepPair[] =>
    key.startsWith(`${name}[`) && key.endsWith(']')
      ? [[key.slice(name.length + 1, -1).split('][', DEEPEST), raw]]
      : [],
  );
  if (members.length === 0) return undefined;
  return reads.kinds.includes('object') || !reads.kinds.includes('array')
    ? deepObjectOf(members, reads)
    : deepListOf(members, reads);
}

// --- internal ---

type DeepPair = readonly [path: readonly string[], raw: string];

const DEEPEST = 20;

/** `name[k][l]=v`, to the depth that the document describes. A repeated name is a list. */
function deepObjectOf(pairs: readonly DeepPair[], reads: WireType): object {
  const byName = new Map<string, DeepPair[]>();
  for (const [[first = '', ...rest], raw] of pairs) {
    const known = byName.get(first);
    if (known === undefined) byName.set(first, [[rest, raw]]);
    else known.push([rest, raw]);
  }
  return Object.fromEntries(
    [...byName].map(([name, found]): [string, unknown] => {
      const type = memberType(reads, name) ?? TEXT;
      const isList = type.kinds.includes('array');
      if (found.some(([path]) => path.length > 0))
        return [name, isList ? deepListOf(found, type) : deepObjectOf(found, type)];
      const values = found.map(([, raw], index) =>
        valueOf(decode(raw), isList ? itemType(type, index) : type),
      );
      return [name, isList || values.length > 1 ? values : values[0]];
    }),
  );
}

/** `name[]=v` or `name[0]=v` for each item. Members of object items follow the index. */
function deepListOf(pairs: readonly DeepPair[], list: WireType): unknown[] {
  const byIndex = new Map<string, DeepPair[]>();
  pairs.forEach(([[index = '', ...rest], raw], position) => {
    // Without indices, each pair is an item.
    const key = index === '' ? `of ${String(position)}` : index;
    const known = byIndex.get(key);
    if (known === undefined) byIndex.set(key, [[rest, raw]]);
    else known.push([rest, raw]);
  });
  return [...byIndex.values()].flatMap((found, index): unknown[] =>
    found.some(([path]) => path.length > 0)
      ? [deepObjectOf(found, itemType(list, index))]
      : found.map(([, raw]) => valueOf(decode(raw), itemType(list, index))),
  );
}
