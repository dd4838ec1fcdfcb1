import { type DiagnosticCode, problem } from './diagnostic-codes.ts';
import type { Locate } from './locate.ts';
import type { Diagnostic, SourceLocation } from './model.ts';
import {
  componentsOf,
  isReference,
  kindAt,
  type ObjectKind,
  type PlacedObject,
  walkObjects,
} from './object-kinds.ts';
import { isRecord } from './record.ts';
import { joinPointer, localPointer, parsePointer, valueAt } from './pointer.ts';
import { type LocatedReference, type ReferencePlace, reportLoops } from './reference-loops.ts';
import { Anchors } from './anchors.ts';
import { Inliner } from './inlined-members.ts';
import { plainReference } from './repairs/references.ts';
import type { Repaired } from './repairs/repair-list.ts';
import type { Source, Sources } from './sources.ts';
import { suggest } from './suggest.ts';

/** One self-contained document: every remaining `$ref` is local and has a target. */
export interface Bundle {
  readonly root: Record<string, unknown>;
  /** The place of a pointer into `root` in the files that the document was made of. */
  readonly locate: Locate;
}

/**
 * Resolves every reference of a document. Objects of other files become components, and path items are put
 * into their paths. A schema that is referred to anywhere but in `components/schemas` gets a name there,
 * because types and validators need one. All broken references are reported.
 */
export async function bundleReferences(
  root: Source,
  sources: Sources,
  report: (diagnostic: Diagnostic) => void,
  repaired?: Repaired,
): Promise<Bundle> {
  const bundler = new Bundler(root, sources, report, repaired);
  await bundler.adopt();
  await bundler.follow(root, { kind: 'document', value: root.value, pointer: '' });
  bundler.addComponents();
  bundler.forgetAnchors();
  reportLoops(root.value, bundler.references, report);
  return { root: root.value, locate: (pointer, part) => bundler.locate(root, pointer, part) };
}

// --- internal ---

interface Place {
  readonly source: Source;
  readonly pointer: string;
}

/** The target of a reference. */
interface Target extends Place {
  readonly value: unknown;
}

class Bundler {
  readonly references: LocatedReference[] = [];
  readonly #root: Source;
  readonly #sources: Sources;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #visited = new Map<object, Set<ObjectKind>>();
  /** The origin of each part of a file that was taken from another file, by pointer. */
  readonly #origins = new Map<Source, Map<string, Place>>();
  /** Path items whose reference is being followed. */
  readonly #inlining = new Set<unknown>();
  /** The names given to targets, by kind and place. */
  readonly #names = new Map<string, string>();
  readonly #suggestions = new Map<string, string | undefined>();

  /** Every reference to an anchor is replaced by one to a pointer. */
  readonly #anchors = new Anchors();
  readonly #anchored: Record<string, unknown>[] = [];
  /** References whose target was missing when components were read; already reported. */
  readonly #refused = new Set<unknown>();
  readonly #taken = new Map<object, Set<string>>();
  /**
   * Objects from other places. They become components at the end: their references are relative to their own
   * files, not to the root, which is walked first.
   */
  readonly #components: {
    readonly section: Record<string, unknown>;
    readonly name: string;
    readonly value: unknown;
  }[] = [];
  readonly #repaired: Repaired | undefined;
  readonly #inliner: Inliner | undefined;

  constructor(
    root: Source,
    sources: Sources,
    report: (diagnostic: Diagnostic) => void,
    repaired: Repaired | undefined,
  ) {
    this.#root = root;
    this.#sources = sources;
    this.#report = report;
    this.#repaired = repaired;
    if (repaired !== undefined)
      this.#inliner = new Inliner(sources, {
        report,
        repaired,
        place: (from, pointer) => this.#place(from, pointer),
        originAt: (from, pointer) => this.#origins.get(from)?.get(pointer),
        remember: (from, pointer, origin) => {
          this.#remember(from, pointer, origin);
        },
        named: (from, pointer, { source, pointer: target, value }) => {
          if (from !== root || pointer !== '/components/schemas' || !isRecord(value)) return;
          for (const [name, schema] of Object.entries(value)) {
            const at = { source, pointer: joinPointer(target, name), value: schema };
            this.#names.set(placeOf('schema', at), name);
          }
        },
      });
  }

  /**
   * A component that is only a reference to a schema of another file is replaced by that schema. Multi-file
   * documents often name their schemas in this way and refer to the files elsewhere.
   */
  async adopt(): Promise<void> {
    const adopted: Target[] = [];
    await this.#inliner?.inline(this.#root, { kind: 'document', value: this.#root.value, pointer: '' });
    const components = this.#root.value['components'];
    if (isRecord(components))
      await this.#inliner?.inline(this.#root, {
        kind: 'components',
        value: components,
        pointer: '/components',
      });
    const schemas = valueAt(this.#root.value, '/components/schemas');
    for (const [name, value] of isRecord(schemas) ? Object.entries(schemas) : []) {
      const text = onlyReference(value);
      if (text === undefined || text.startsWith('#')) continue;
      if (plainReference(text, 'schema', this.#root) !== undefined) continue;
      const pointer = joinPointer('/components/schemas', name);
      const places: string[] = [];
      let from: Target | undefined = { source: this.#root, pointer, value };
      let target: Target | undefined;
      // For a file that lists others and refers to them.
      for (let next = onlyReference(value); next !== undefined && places.length < MOST_HOPS;) {
        target = await this.#resolve(from.source, next, 'schema', joinPointer(from.pointer, '$ref'));
        if (target === undefined) this.#refused.add(from.value);
        if (target === undefined || target.source === this.#root) break;
        places.push(placeOf('schema', target));
        from = target;
        next = onlyReference(target.value);
      }
      if (
        !isRecord(target?.value) ||
        target.source === this.#root ||
        onlyReference(target.value) !== undefined
      )
        continue;
      if (places.some((place) => this.#names.has(place))) continue;
      (schemas as Record<string, unknown>)[name] = target.value;
      for (const place of places) this.#names.set(place, name);
      this.#remember(this.#root, pointer, target);
      adopted.push(target);
    }
    for (const { source, value, pointer } of adopted)
      await this.follow(source, { kind: 'schema', value, pointer });
  }

  async follow(source: Source, start: { kind: ObjectKind; value: unknown; pointer: string }): Promise<void> {
    const waiting = [{ source, start }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const from = next.source;
      for (const object of walkObjects(next.start, ({ kind, value }) => this.#isNew(kind, value))) {
        await this.#inliner?.inline(from, object);
        if (object.kind === 'schema') waiting.push(...(await this.#readSchemaNames(from, object)));
        if (!isReference(object) || this.#refused.has(object.value)) continue;
        const at = joinPointer(object.pointer, '$ref');
        this.references.push({ object, place: () => this.#place(from, at) });
        const text = this.#ownReference(from, object, at) ?? this.#plainReference(from, object, at);
        const target = await this.#resolve(from, text, object.kind, at);
        if (target === undefined) continue;
        const start = { kind: object.kind, value: target.value, pointer: target.pointer };
        if (object.kind !== 'path item') {
          object.value['$ref'] = this.#localReference(text, object.kind, target);
          waiting.push({ source: target.source, start });
          continue;
        }
        if (object.value === target.value || this.#inlining.has(target.value)) continue; // Already reported as a loop.
        this.#inlining.add(object.value);
        await this.follow(target.source, start);
        this.#inline(from, object, target);
        this.#inlining.delete(object.value);
      }
    }
  }

  addComponents(): void {
    for (const { section, name, value } of this.#components) section[name] = value;
  }

  /** A copy of the schema would define its anchor a second time. */
  forgetAnchors(): void {
    for (const schema of this.#anchored) {
      delete schema['$anchor'];
      delete schema['$dynamicAnchor'];
      delete schema['$id'];
    }
  }

  locate(source: Source, pointer: string, part?: 'name'): SourceLocation | undefined {
    const origins = this.#origins.get(source);
    for (
      let end = pointer.length;
      origins !== undefined && end > 0;
      end = pointer.lastIndexOf('/', end - 1)
    ) {
      const origin = origins.get(pointer.slice(0, end));
      if (origin !== undefined) return this.locate(origin.source, origin.pointer + pointer.slice(end), part);
    }
    return source.locate(pointer, part);
  }

  /** A pointer is given only for the root document, because the pointer of a diagnostic refers to that. */
  #place(from: Source, pointer: string): ReferencePlace {
    const location = from.locate(pointer);
    return from === this.#root ? { location, pointer } : { location };
  }

  #isNew(kind: ObjectKind, value: object): boolean {
    const kinds = this.#visited.get(value) ?? new Set();
    this.#visited.set(value, kinds);
    if (kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  }

  async #resolve(from: Source, text: string, kind: ObjectKind, at: string): Promise<Target | undefined> {
    const place = (): ReferencePlace => this.#place(from, at);
    const refuse = (code: DiagnosticCode, message: string, help?: string): undefined => {
      this.#report(problem(code, message, { ...place(), help }));
    };
    const hash = text.indexOf('#');
    const uri = hash === -1 ? text : text.slice(0, hash);
    const pointer = localPointer(hash === -1 ? '#' : text.slice(hash));
    if (pointer === undefined)
      return refuse('ref-malformed', `$ref is not a valid URL: ${text}`, 'check its percent-encoding');
    if (kind === 'schema' && uri !== '')
      for (const source of new Set([from, this.#root])) {
        const resource = this.#anchors.identified(source, uri, from, at);
        if (resource !== undefined) return this.#inResource(source, resource, pointer, refuse);
      }
    const source = uri === '' ? from : await this.#sources.open(uri, from, place);
    if (source === undefined) return undefined;
    if (parsePointer(pointer) === undefined) {
      const [found, ...others] = kind === 'schema' ? nearest(this.#anchors.named(source, pointer), at) : [];
      if (found !== undefined && others.length === 0)
        return { source, pointer: found, value: valueAt(source.value, found) };
      const count = others.length === 0 ? 'no schema has' : `${String(others.length + 1)} schemas have`;
      return refuse(
        'ref-anchor',
        `${count} the anchor of this $ref: ${text}`,
        'use a JSON pointer such as #/components/schemas/Name',
      );
    }
    const value = valueAt(source.value, pointer);
    if (value === undefined) {
      const meant = this.#suggest(source, pointer, kind);
      const help =
        meant === undefined ? 'add the target, or correct the $ref' : `did you mean ${uri}#${meant}?`;
      return refuse('ref-dangling', `$ref target not found: ${text}`, help);
    }
    const found = uri === '' && from === this.#root ? kindAt(pointer) : undefined;
    if (
      (found !== undefined && found !== kind) ||
      !(isRecord(value) || (kind === 'schema' && typeof value === 'boolean'))
    ) {
      const what = found === undefined ? describe(value) : `${article(found)} ${found}`;
      return refuse(
        'ref-kind',
        `$ref points to ${what}, not to ${article(kind)} ${kind}: ${text}`,
        `refer to ${article(kind)} ${kind}`,
      );
    }
    return { source, pointer, value };
  }

  /**
   * Resolves a reference such as `#/$defs/Size` within the nearest schema that has an address of its own, and
   * returns it relative to the file; `undefined` for any other reference. If that schema lacks the target,
   * the reference is resolved in the file.
   */
  #ownReference(from: Source, { kind, value }: PlacedObject, at: string): string | undefined {
    const text = String(value['$ref']);
    const part = kind === 'schema' ? localPointer(text) : undefined;
    const around = part === undefined ? undefined : this.#anchors.resourceAround(from, at);
    if (part === undefined || around === undefined) return undefined;
    const isPointer = parsePointer(part) !== undefined;
    const [found] = isPointer ? [around.pointer + part] : this.#anchors.namedIn(from, part, around.pointer);
    const meant = found === undefined ? undefined : valueAt(from.value, found);
    if (found !== undefined && (isRecord(meant) || typeof meant === 'boolean')) return `#${encodeURI(found)}`;
    if (isPointer && valueAt(from.value, part) !== undefined) {
      const help = 'inside of a schema with $id, # means that schema: remove the $id if nothing refers to it';
      const message = `$ref is read in the whole file: ${text} is not in the schema ${around.address}`;
      this.#report(problem('schema-id', message, { ...this.#place(from, at), help }));
    }
    return undefined;
  }

  /** The target inside a schema that has an address of its own. */
  #inResource(
    source: Source,
    resource: string,
    part: string,
    refuse: (code: DiagnosticCode, message: string, help?: string) => undefined,
  ): Target | undefined {
    const isAnchor = parsePointer(part) === undefined;
    const [found] = isAnchor ? this.#anchors.namedIn(source, part, resource) : [resource + part];
    const value = found === undefined ? undefined : valueAt(source.value, found);
    if (found !== undefined && (isRecord(value) || typeof value === 'boolean'))
      return { source, pointer: found, value };
    return refuse('ref-dangling', `$ref target not found: ${part} in the schema at #${resource}`);
  }

  /**
   * Members of a schema that refer without the name `$ref`, and those that would change the meaning of a
   * `$ref`.
   */
  async #readSchemaNames(
    from: Source,
    { value, pointer }: PlacedObject,
  ): Promise<{ source: Source; start: { kind: ObjectKind; value: unknown; pointer: string } }[]> {
    if (['$anchor', '$dynamicAnchor', '$id'].some((name) => typeof value[name] === 'string'))
      this.#anchored.push(value);
    this.#settleDynamic(from, { value, pointer });
    const mapping = isRecord(value['discriminator']) ? value['discriminator']['mapping'] : undefined;
    if (!isRecord(mapping)) return [];
    const found = [];
    for (const [tag, text] of Object.entries(mapping)) {
      if (typeof text !== 'string') continue;
      const isName = isRecord(valueAt(from.value, joinPointer('/components/schemas', text)));
      if (this.#isMappedToNothing(from, text, joinPointer(pointer, 'discriminator', 'mapping', tag))) {
        Reflect.deleteProperty(mapping, tag);
        continue;
      }
      const reference = isName || !/[/#.]/.test(text) ? `#${joinPointer('/components/schemas', text)}` : text;
      const target = await this.#resolve(
        from,
        reference,
        'schema',
        joinPointer(pointer, 'discriminator', 'mapping', tag),
      );
      if (target === undefined) continue;
      mapping[tag] = this.#localReference(reference, 'schema', target);
      found.push({
        source: target.source,
        start: { kind: 'schema' as const, value: target.value, pointer: target.pointer },
      });
    }
    return found;
  }

  /**
   * A value of a discriminator that is mapped to a local schema which does not exist, and whose name
   * resembles no other.
   */
  #isMappedToNothing(from: Source, text: string, at: string): boolean {
    const local = localPointer(text);
    if (this.#repaired === undefined || local === undefined || parsePointer(local) === undefined)
      return false;
    if (valueAt(from.value, local) !== undefined || plainReference(text, 'schema', from) !== undefined)
      return false;
    if (this.#suggest(from, local, 'schema') !== undefined) return false;
    this.#repaired({
      kind: 'a mapping to nothing',
      pointer: at,
      wrong: `the mapping leads to nothing: ${text}`,
      read: 'absent',
      location: this.#place(from, at).location,
    });
    return true;
  }

  /**
   * `$dynamicRef` to an anchor that only one schema of the file has is equivalent to a `$ref`.
   * `$recursiveRef`, of an earlier draft, refers to the enclosing schema with `$recursiveAnchor`, or to the
   * outermost schema.
   */
  #settleDynamic(from: Source, { value, pointer }: Pick<PlacedObject, 'value' | 'pointer'>): void {
    for (const keyword of ['$dynamicRef', '$recursiveRef']) {
      const text = value[keyword];
      if (text === undefined) continue;
      const at = joinPointer(pointer, keyword);
      const found =
        keyword === '$dynamicRef'
          ? this.#dynamicTarget(from, text)
          : this.#recursiveTarget(from, text, pointer);
      if (keyword === '$dynamicRef' && found === 'any' && this.#repaired !== undefined) {
        const { location } = this.#place(from, at);
        const wrong = `$dynamicRef ${String(text)} has different targets, depending on the path of evaluation`;
        this.#repaired({ kind: '$dynamicRef', pointer: at, wrong, read: 'any value', location });
        Reflect.deleteProperty(value, keyword);
        continue;
      }
      if (found === undefined || found === 'any' || value['$ref'] !== undefined) {
        const help = 'use $ref instead';
        this.#report(
          problem('ref-dynamic', `${keyword} is not supported`, { ...this.#place(from, at), help }),
        );
        continue;
      }
      Reflect.deleteProperty(value, keyword);
      value['$ref'] = `#${encodeURI(found)}`;
      if (keyword === '$dynamicRef') continue;
      const { location } = this.#place(from, at);
      const wrong = '$recursiveRef is a keyword of an earlier draft';
      this.#repaired?.({ kind: '$recursiveRef', pointer: at, wrong, read: `$ref: '#${found}'`, location });
    }
  }

  /**
   * A pointer, or `any` if several schemas have the name: then the target depends on the path of evaluation.
   */
  #dynamicTarget(from: Source, text: unknown): string | undefined {
    const name = typeof text === 'string' ? localPointer(text) : undefined;
    if (name === undefined || name === '' || name.startsWith('/')) return name === '' ? undefined : name;
    const found = this.#anchors.named(from, name);
    return found.length > 1 ? 'any' : found[0];
  }

  #recursiveTarget(from: Source, text: unknown, pointer: string): string | undefined {
    if (text !== '#' || this.#repaired === undefined || from !== this.#root) return undefined;
    let outermost: string | undefined;
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      if (kindAt(at) !== 'schema') continue;
      outermost = at;
      const schema = valueAt(from.value, at);
      if (isRecord(schema) && schema['$recursiveAnchor'] === true) return at;
    }
    return outermost;
  }

  /** The reference as written, or with its obvious correction. */
  #plainReference(from: Source, { kind, value }: PlacedObject, at: string): string {
    const text = String(value['$ref']);
    const plain = this.#repaired === undefined ? undefined : plainReference(text, kind, from);
    if (plain === undefined) return text;
    const { location } = this.#place(from, at);
    const wrong = `$ref target not found: ${text}`;
    this.#repaired?.({ kind: 'the form of a reference', pointer: at, wrong, read: plain, location });
    return plain;
  }

  /**
   * The reference to a target in the bundle: to its own place if that has a name, else to a new component.
   */
  #localReference(text: string, kind: ObjectKind, target: Target): string {
    const section = componentsOf[kind] ?? 'schemas';
    const tokens = parsePointer(target.pointer) ?? [];
    const isNamed = tokens.length === 3 && tokens[0] === 'components' && tokens[1] === section;
    if (target.source === this.#root && (isNamed || kind !== 'schema')) {
      return localPointer(text) === target.pointer ? text : `#${encodeURI(target.pointer)}`;
    }
    const place = placeOf(kind, target);
    const words = wordsFor(target, isNamed, target.source === this.#root);
    const name = this.#names.get(place) ?? this.#newComponent(section, words, target);
    this.#names.set(place, name);
    return `#/components/${section}/${name}`;
  }

  #newComponent(section: string, wanted: Words, target: Target): string {
    const components = ownRecord(this.#root.value, 'components');
    const named = ownRecord(components, section);
    const taken = this.#taken.get(named) ?? new Set(Object.keys(named).map(alike));
    this.#taken.set(named, taken);
    let name = wanted.find((each) => !taken.has(alike(each))) ?? wanted[0];
    for (let count = 2; taken.has(alike(name)); count += 1) name = `${wanted[0]}_${count}`;
    taken.add(alike(name));
    this.#components.push({ section: named, name, value: target.value });
    this.#remember(this.#root, joinPointer('/components', section, name), target);
    return name;
  }

  /**
   * Replaces a reference by the members of the path item that it refers to. Members beside the reference take
   * precedence.
   */
  #inline(from: Source, object: PlacedObject, target: Target): void {
    if (!isRecord(target.value)) return;
    delete object.value['$ref'];
    for (const [member, value] of Object.entries(target.value)) {
      if (Object.hasOwn(object.value, member)) continue;
      object.value[member] = value;
      const pointer = joinPointer(target.pointer, member);
      this.#remember(from, joinPointer(object.pointer, member), { source: target.source, pointer });
    }
  }

  #remember(source: Source, pointer: string, origin: Place): void {
    const origins = this.#origins.get(source) ?? new Map<string, Place>();
    this.#origins.set(source, origins.set(pointer, origin));
  }

  #suggest(source: Source, pointer: string, kind: ObjectKind): string | undefined {
    const known = this.#suggestions.get(`${source.address}#${pointer}`);
    if (known !== undefined || this.#suggestions.size >= MOST_SUGGESTIONS) return known;
    const tokens = parsePointer(pointer) ?? [];
    const parent = joinPointer('', ...tokens.slice(0, -1));
    const last = tokens.at(-1) ?? '';
    const places = [parent, `/components/${componentsOf[kind] ?? 'schemas'}`];
    for (const place of places) {
      const siblings = valueAt(source.value, place);
      const name = isRecord(siblings) ? suggest(last, Object.keys(siblings)) : undefined;
      if (name !== undefined) {
        this.#suggestions.set(`${source.address}#${pointer}`, joinPointer(place, name));
        return joinPointer(place, name);
      }
    }
    return undefined;
  }
}

/** Comparing names takes time, and a document with more broken references than this has another problem. */
const MOST_SUGGESTIONS = 20;

/** Words of a pointer that are not names. */
const STRUCTURE = new Set([
  'components',
  'schemas',
  'properties',
  'content',
  'schema',
  'items',
  '$defs',
  'definitions',
  'paths',
]);

/** A component gets its name before its own references are followed. */
const MOST_HOPS = 20;

/** The target of a schema that is only a reference. */
function onlyReference(value: unknown): string | undefined {
  const text = isRecord(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Possible names for a component, the best one first. */
type Words = readonly [string, ...(readonly string[])];

/**
 * Possible names for a component: its previous name, the words of its pointer, or the name of its file. If
 * that is taken: with the name of the file, then the whole pointer.
 */
function wordsFor({ source, pointer }: Target, isNamed: boolean, isRoot: boolean): Words {
  const tokens = parsePointer(pointer) ?? [];
  const words = isNamed
    ? tokens.slice(-1)
    : tokens.filter((token) => !STRUCTURE.has(token) && !token.startsWith('x-')).slice(-2);
  const fileName = source.file.replace(/^.*[/\\]/, '').replace(/\.(?:ya?ml|json)$/i, '');
  const whole = tokens.slice(tokens[0] === 'components' ? 2 : 0);
  return [
    componentName(words.length > 0 ? words : [fileName]),
    ...(isRoot ? [] : [componentName([fileName, ...words])]),
    componentName(isRoot ? whole : [fileName, ...whole]),
  ];
}

function placeOf(kind: ObjectKind, { source, pointer }: Target): string {
  return `${kind} ${source.address}#${pointer}`;
}

function componentName(words: readonly string[]): string {
  const name = words
    .join('_')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 200);
  return /^[._-]*$/.test(name) || name === '__proto__' ? 'Component' : name;
}

/** A key that is equal for names that become the same identifier: `order_status` and `OrderStatus`. */
function alike(name: string): string {
  return name.replace(/[._-]/g, '').toLowerCase();
}

function ownRecord(parent: Record<string, unknown>, member: string): Record<string, unknown> {
  const known = Object.hasOwn(parent, member) ? parent[member] : undefined;
  if (isRecord(known)) return known;
  const created = {};
  parent[member] = created;
  return created;
}

/**
 * If several schemas have the name, those in the same component: these are meant when each has an address of
 * its own.
 */
function nearest(pointers: readonly string[], at: string): readonly string[] {
  const component = /^\/components\/schemas\/[^/]+/.exec(at)?.[0];
  const own = component === undefined ? [] : pointers.filter((pointer) => isWithin(pointer, component));
  return pointers.length > 1 && own.length === 1 ? own : pointers;
}

function isWithin(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return isRecord(value) ? 'an object' : JSON.stringify(value).slice(0, 40);
}

function article(noun: string): string {
  return /^[aeio]/.test(noun) ? 'an' : 'a';
}
