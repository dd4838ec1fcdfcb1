import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { type DiagnosticCode, problem } from '../diagnostics/diagnostic-codes.ts';
import type { LineTable } from './locate.ts';
import type { Diagnostic } from '../model.ts';
import type { ParsedText } from './parsed-text.ts';
import { syntaxProblems, walkTokens } from './yaml-mistakes.ts';

export interface YamlLimits {
  readonly depth: number;
  /** The limit for characters that can begin a value. Each costs the library about a kilobyte. */
  readonly marks: number;
  /** The limit for values that aliases add to the written ones. */
  readonly aliasedValues: number;
}

/** Reads YAML 1.2 into plain JSON values. Merge keys are supported, because many documents use them. */
export function parseYaml(text: string, lines: LineTable, limits: YamlLimits): ParsedText {
  if (countMarks(text) > limits.marks) {
    const diagnostic = problem('file-too-large', `the file has more than ${limits.marks} YAML values`, {
      location: lines.at(0),
      help: 'save it as JSON, which needs less memory, or split it into several files',
    });
    return { ok: false, diagnostics: [diagnostic] };
  }
  const tokens = [...new Parser().parse(text)];
  const deep = offsetOfDepth(tokens, limits.depth);
  if (deep !== undefined) {
    const diagnostic = problem('too-deep', `the document is nested more than ${limits.depth} levels deep`, {
      location: lines.at(deep),
      help: 'move the inner parts to components and use $ref',
    });
    return { ok: false, diagnostics: [diagnostic] };
  }
  // The code below looks for duplicate keys: the library's own check takes quadratic time.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) return { ok: true, value: null, offsetOf: () => undefined, lines };
  const diagnostics = syntaxProblems(document, tokens, text, lines);
  if (diagnostics.length === 0 && second !== undefined) {
    const location = lines.at(second.range[0]);
    const help = 'keep one document per file';
    diagnostics.push(
      problem('several-documents', 'the file contains more than one YAML document', { location, help }),
    );
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const reader = new Reader(lines, limits);
  const { value } = reader.read(document.contents);
  if (reader.diagnostics.length > 0) return { ok: false, diagnostics: reader.diagnostics };
  return { ok: true, value, offsetOf: offsetFinder(document.contents, reader.targets), lines };
}

// --- internal ---

const MARKS = new Set(Array.from('\n,:[{?&*!|>#"\'-', (mark) => mark.charCodeAt(0)));

function countMarks(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) if (MARKS.has(text.charCodeAt(index))) count += 1;
  return count;
}

/** A value, with the number of values in it, itself included. */
interface Read {
  readonly value: unknown;
  readonly size: number;
}

const NOTHING: Read = { value: null, size: 1 };

/** Converts nodes into values. Use one instance per document, because anchors and counts belong to it. */
class Reader {
  readonly diagnostics: Diagnostic[] = [];
  /** The target node of an alias. */
  readonly targets = new Map<Node, Node>();
  readonly #lines: LineTable;
  readonly #limits: YamlLimits;
  readonly #anchors = new Map<string, Node>();
  /** The value of an anchored node; `undefined` while it is being read. */
  readonly #anchored = new Map<Node, Read | undefined>();
  #aliasedValues = 0;

  constructor(lines: LineTable, limits: YamlLimits) {
    this.#lines = lines;
    this.#limits = limits;
  }

  read(node: unknown): Read {
    if (isAlias(node)) return this.#readAlias(node);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return NOTHING;
    if (node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
      this.#anchored.set(node, undefined);
    }
    const read = isScalar(node)
      ? this.#readScalar(node)
      : isMap(node)
        ? this.#readMap(node)
        : this.#readSeq(node.items);
    if (node.anchor !== undefined) this.#anchored.set(node, read);
    return read;
  }

  /** The value is shared, not copied. The limit bounds the work of walking over it. */
  #readAlias(alias: Alias): Read {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      this.#report(
        'alias-unknown',
        alias,
        `unknown alias *${alias.source}: no anchor with this name precedes it`,
        {
          help: `mark the value to repeat with &${alias.source}, or correct the name`,
        },
      );
      return NOTHING;
    }
    const read = this.#anchored.get(target);
    if (read === undefined) {
      this.#report(
        'alias-cycle',
        alias,
        `circular alias: *${alias.source} is inside the value that it repeats`,
        {
          help: 'use $ref, which may be recursive',
        },
      );
      return NOTHING;
    }
    this.targets.set(alias, target);
    const wasWithin = this.#aliasedValues <= this.#limits.aliasedValues;
    this.#aliasedValues += read.size;
    if (this.#aliasedValues <= this.#limits.aliasedValues) return read;
    if (wasWithin) {
      this.#report('alias-bomb', alias, `aliases expand to more than ${this.#limits.aliasedValues} values`, {
        help: 'use $ref instead of aliases',
      });
    }
    return { value: null, size: read.size };
  }

  #readScalar(scalar: Scalar): Read {
    const { value } = scalar;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value, size: 1 };
    if (typeof value === 'number' && Number.isFinite(value)) return { value, size: 1 };
    this.#report('not-json', scalar, `${scalar.source ?? 'this value'} has no equivalent in JSON`, {
      help: 'put it in quotes if it is a string',
    });
    return NOTHING;
  }

  #readSeq(items: readonly unknown[]): Read {
    let size = 1;
    const value = items.map((item) => {
      const read = this.read(item);
      size += read.size;
      return read.value;
    });
    return { value, size };
  }

  #readMap(map: YAMLMap): Read {
    const value = {};
    const merged: unknown[] = [];
    const positions = new Map<string, number>();
    let size = 1;
    for (const pair of map.items) {
      const key = keyOf(pair.key);
      const offset = offsetOfNode(pair.key) ?? offsetOfNode(map) ?? 0;
      if (key === undefined) {
        this.#report('not-json', pair.key, 'a key must be a string or a number', {
          help: 'put the key in quotes',
        });
        continue;
      }
      const read = this.read(pair.value);
      size += read.size;
      if (isMergeKey(pair.key)) {
        merged.push(...(Array.isArray(read.value) ? (read.value as unknown[]) : [read.value]));
        continue;
      }
      const first = positions.get(key);
      if (first !== undefined) {
        this.#report('duplicate-key', pair.key, `duplicate key ${JSON.stringify(key)}`, {
          help: `remove one of the two; the first is on line ${this.#lines.at(first).line}`,
        });
        continue;
      }
      positions.set(key, offset);
      define(value, key, read.value);
    }
    for (const source of merged) {
      if (typeof source !== 'object' || source === null) continue;
      for (const [key, member] of Object.entries(source)) {
        if (!Object.hasOwn(value, key)) define(value, key, member);
      }
    }
    return { value, size };
  }

  #report(code: DiagnosticCode, node: unknown, message: string, details: { readonly help: string }): void {
    this.diagnostics.push(
      problem(code, message, { ...details, location: this.#lines.at(offsetOfNode(node) ?? 0) }),
    );
  }
}

/** Sets an own member of any name: a plain assignment to `__proto__` would change the prototype. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Keys are text in JSON: `200:` and `'200':` are the same key. */
function keyOf(node: unknown): string | undefined {
  if (node === null) return '';
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string') return node.value;
  return node.source ?? String(node.value);
}

function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && node.type === 'PLAIN';
}

function offsetOfNode(node: unknown): number | undefined {
  return isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;
}

type YamlPair = YAMLMap['items'][number];

function offsetFinder(
  root: unknown,
  targets: ReadonlyMap<Node, Node>,
): (path: readonly string[], part?: 'name') => number | undefined {
  const indices = new Map<YAMLMap, Map<string, YamlPair>>();
  return (path, part) => {
    let node: unknown = root;
    let offset = offsetOfNode(root);
    for (const token of path) {
      node = isAlias(node) ? targets.get(node) : node;
      if (isSeq(node)) {
        node = node.items[Number(token)];
        offset = offsetOfNode(node);
      } else if (isMap(node)) {
        const index = indices.get(node) ?? pairsOf(node, targets);
        indices.set(node, index);
        const pair = index.get(token);
        if (pair === undefined) return undefined;
        node = pair.value;
        const atValue = part !== 'name' && isScalar(node) && node.source !== '' && node.value !== null;
        offset = atValue ? offsetOfNode(node) : offsetOfNode(pair.key);
      } else {
        return undefined;
      }
    }
    return offset;
  };
}

/** The members of a mapping by name, merged ones too. */
function pairsOf(map: YAMLMap, targets: ReadonlyMap<Node, Node>): Map<string, YamlPair> {
  const pairs = new Map<string, YamlPair>();
  for (const pair of map.items) {
    const key = keyOf(pair.key);
    if (key !== undefined && !isMergeKey(pair.key)) pairs.set(key, pair);
  }
  for (const { value } of map.items.filter(({ key }) => isMergeKey(key))) {
    for (const source of isSeq(value) ? value.items : [value]) {
      const target = isAlias(source) ? targets.get(source) : source;
      if (!isMap(target)) continue;
      for (const [key, pair] of pairsOf(target, targets)) if (!pairs.has(key)) pairs.set(key, pair);
    }
  }
  return pairs;
}

/** The first place that is nested deeper than allowed. */
function offsetOfDepth(tokens: readonly CST.Token[], allowed: number): number | undefined {
  for (const { token, depth } of walkTokens(tokens)) {
    if (depth >= allowed && 'items' in token) return token.offset;
  }
  return undefined;
}
