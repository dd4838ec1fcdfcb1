import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag, strTag } from 'js-yaml';
import type { ScalarTagDefinition } from 'js-yaml';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { DiagnosticCode } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import type { LineTable } from './locate.ts';
import { isMergeKey, yamlKey } from './yaml-nodes.ts';
import type { YamlNode, YamlNodes } from './yaml-nodes.ts';

/** Converts nodes into values. Use one instance per text, because anchors and counts belong to it. */
export class YamlValues {
  readonly diagnostics: Diagnostic[] = [];
  readonly #next: YamlNodes;
  readonly #lines: LineTable;
  readonly #mostAliased: number;
  /** The value of an anchor; `undefined` while it is being read. */
  readonly #anchored = new Map<string, Anchored | undefined>();
  /** How many values were read, those that aliases repeat included. */
  #values = 0;
  #aliasedValues = 0;

  constructor(nodes: YamlNodes, lines: LineTable, mostAliased: number) {
    this.#next = nodes;
    this.#lines = lines;
    this.#mostAliased = mostAliased;
  }

  /** The value of the document. */
  value(): unknown {
    const node = this.#next();
    return node === undefined ? null : this.#read(node);
  }

  #read(node: YamlNode): unknown {
    if (node.kind === 'alias') return this.#readAlias(node);
    const { anchor } = node;
    const before = this.#values;
    this.#values += 1;
    if (anchor !== undefined) this.#anchored.set(anchor, undefined);
    const value =
      node.kind === 'scalar'
        ? this.#readScalar(node)
        : node.kind === 'mapping'
          ? this.#readMapping(node)
          : this.#readSequence(node);
    if (anchor !== undefined) this.#anchored.set(anchor, { value, size: this.#values - before });
    return value;
  }

  /** The value is shared, not copied. The limit bounds the work of walking over it. */
  #readAlias(alias: YamlNode): unknown {
    const name = alias.anchor ?? '';
    const read = this.#anchored.get(name);
    if (read === undefined) {
      if (this.#anchored.has(name))
        this.#report('alias-cycle', alias, `circular alias: *${name} is inside the value that it repeats`, {
          help: 'use $ref, which may be recursive',
        });
      else
        this.#report('alias-unknown', alias, `unknown alias *${name}: no anchor with this name precedes it`, {
          help: `mark the value to repeat with &${name}, or correct the name`,
        });
      this.#values += 1;
      return null;
    }
    const wasWithin = this.#aliasedValues <= this.#mostAliased;
    this.#aliasedValues += read.size;
    this.#values += read.size;
    if (this.#aliasedValues <= this.#mostAliased) return read.value;
    if (wasWithin)
      this.#report('alias-bomb', alias, `aliases expand to more than ${this.#mostAliased} values`, {
        help: 'use $ref instead of aliases',
      });
    return null;
  }

  #readScalar(scalar: YamlNode): unknown {
    const { tag, text: source } = scalar;
    if (tag === undefined && (!scalar.isPlain || !SPECIAL.test(source))) return source;
    const value = tag === undefined ? plainValue(source) : taggedValue(tag, source);
    if (value === NOT_RESOLVED) this.#reportTag(scalar, tag ?? '');
    else if (typeof value !== 'number' || Number.isFinite(value)) return value;
    else
      this.#report('not-json', scalar, `${source} has no equivalent in JSON`, {
        help: 'put it in quotes if it is a string',
      });
    return null;
  }

  #readSequence(sequence: YamlNode): unknown[] {
    this.#expectTag(sequence, '!!seq');
    const value: unknown[] = [];
    for (let item = this.#next(); item !== undefined; item = this.#next()) value.push(this.#read(item));
    return value;
  }

  #readMapping(mapping: YamlNode): object {
    this.#expectTag(mapping, '!!map');
    const value = {};
    const merged: unknown[] = [];
    const keys: YamlNode[] = [];
    /** The keys by their names, from the first duplicate on: hardly any mapping has one. */
    let firsts: Map<string | undefined, YamlNode> | undefined;
    for (let node = this.#next(); node !== undefined; node = this.#next()) {
      const key = yamlKey(node);
      if (key === undefined) {
        this.#report('not-json', node, 'a key must be a string or a number', {
          help: 'put the key in quotes',
        });
        this.#read(node);
      }
      const member = this.#next();
      if (member === undefined) break;
      const read = this.#read(member);
      if (key === undefined) continue;
      if (isMergeKey(node)) {
        merged.push(...(Array.isArray(read) ? (read as unknown[]) : [read]));
        continue;
      }
      if (!Object.hasOwn(value, key)) {
        keys.push(node);
        firsts?.set(key, node);
        define(value, key, read);
        continue;
      }
      firsts ??= new Map(keys.map((each) => [yamlKey(each), each]));
      const first = firsts.get(key) ?? node;
      this.#report('duplicate-key', node, `duplicate key ${JSON.stringify(key)}`, {
        help: `remove one of the two; the first is on line ${this.#placeOf(first).line}`,
      });
    }
    for (const source of merged) {
      if (typeof source !== 'object' || source === null) continue;
      for (const [key, member] of Object.entries(source))
        if (!Object.hasOwn(value, key)) define(value, key, member);
    }
    return value;
  }

  #expectTag(node: YamlNode, expected: string): void {
    const { tag } = node;
    if (tag !== undefined && tag !== '!' && tag !== expected) this.#reportTag(node, tag);
  }

  #reportTag(node: YamlNode, tag: string): void {
    const message = TAGS.has(tag)
      ? `the tag ${tag} does not fit this value`
      : `unknown tag ${tag.slice(0, 40)}`;
    const help = TAGS.has(tag) ? 'remove the tag' : 'remove the tag: only plain data is allowed';
    this.diagnostics.push(
      problem('syntax', message, { help, location: this.#lines.at(node.tagOffset ?? 0) }),
    );
  }

  #placeOf(node: YamlNode): ReturnType<LineTable['at']> {
    return this.#lines.at(node.offset ?? 0);
  }

  #report(code: DiagnosticCode, node: YamlNode, message: string, details: { readonly help: string }): void {
    this.diagnostics.push(problem(code, message, { ...details, location: this.#placeOf(node) }));
  }
}

// --- internal ---

/** A value, with the number of values in it, itself included. */
interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

const CORE_TAGS: readonly ScalarTagDefinition[] = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const TAGS = new Map<string, ScalarTagDefinition | undefined>([
  ['!!null', nullCoreTag],
  ['!!bool', boolCoreTag],
  ['!!int', intCoreTag],
  ['!!float', floatCoreTag],
  ['!!str', strTag],
  ['!', strTag],
  ['!!seq', undefined],
  ['!!map', undefined],
]);

/** How a plain scalar that is no string can begin. Most are strings. */
const SPECIAL = /^(?:$|[-+.\d~nNtTfF])/;

function plainValue(source: string): unknown {
  for (const tag of CORE_TAGS) {
    const value: unknown = tag.resolve(source, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return source;
}

function taggedValue(name: string, source: string): unknown {
  const tag = TAGS.get(name);
  return tag === undefined ? NOT_RESOLVED : tag.resolve(source, true, tag.tagName);
}

/** Sets an own member of any name: a plain assignment to `__proto__` would change the prototype. */
function define(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}
