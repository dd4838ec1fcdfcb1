import { isMergeKey, yamlKey } from './yaml-nodes.ts';
import type { YamlNode, YamlNodes } from './yaml-nodes.ts';

/**
 * Finds the offsets of values by their paths, in a text whose values could be read. The places are collected when
 * the first is requested, because most documents have no problems.
 */
export function yamlPlaces(
  nodes: () => YamlNodes,
): (path: readonly string[], part?: 'name') => number | undefined {
  let root: Place | undefined;
  return (path, part) => {
    root ??= new Places(nodes()).root();
    let place: Place | undefined = root;
    for (const token of path) place = place?.members.get(token);
    if (place === undefined) return undefined;
    return part !== 'name' && place.isScalar ? place.offset : (place.name ?? place.offset);
  };
}

// --- internal ---

interface Place {
  readonly offset: number | undefined;
  /** The offset of the key, of a member of a mapping. */
  readonly name?: number | undefined;
  /** A string, number or boolean. Of anything else the name is shown. */
  readonly isScalar: boolean;
  readonly isList: boolean;
  readonly members: ReadonlyMap<string, Place>;
}

const NO_MEMBERS: ReadonlyMap<string, Place> = new Map();
const NOWHERE: Place = { offset: undefined, isScalar: false, isList: false, members: NO_MEMBERS };

class Places {
  readonly #nodes: YamlNodes;
  readonly #anchored = new Map<string, Place>();

  constructor(nodes: YamlNodes) {
    this.#nodes = nodes;
  }

  root(): Place {
    return this.#next() ?? NOWHERE;
  }

  /** @param name the offset of the key */
  #next(name?: number): Place | undefined {
    const node = this.#nodes();
    return node && this.#placeOf(node, name);
  }

  #placeOf(node: YamlNode, name: number | undefined): Place {
    const { anchor = '', kind, offset } = node;
    if (kind === 'alias')
      return { ...(this.#anchored.get(anchor) ?? NOWHERE), offset, name, isScalar: false };
    const isList = kind === 'sequence';
    const isScalar = kind === 'scalar' && (!node.isPlain || !NULL.test(node.text));
    const members = isList ? this.#sequence() : kind === 'mapping' ? this.#mapping() : NO_MEMBERS;
    const place = { offset, name, isScalar, isList, members };
    if (anchor !== '') this.#anchored.set(anchor, place);
    return place;
  }

  #sequence(): ReadonlyMap<string, Place> {
    const members = new Map<string, Place>();
    for (let item = this.#next(); item !== undefined; item = this.#next())
      members.set(String(members.size), item);
    return members;
  }

  #mapping(): ReadonlyMap<string, Place> {
    const members = new Map<string, Place>();
    const merged: Place[] = [];
    for (let key = this.#nodes(); key !== undefined; key = this.#nodes()) {
      const place = this.#next(key.offset) ?? NOWHERE;
      if (isMergeKey(key)) merged.push(...(place.isList ? place.members.values() : [place]));
      else members.set(yamlKey(key) ?? '', place);
    }
    for (const source of merged)
      for (const [key, place] of source.members) if (!members.has(key)) members.set(key, place);
    return members;
  }
}

const NULL = /^(?:~|null|Null|NULL|)$/;
