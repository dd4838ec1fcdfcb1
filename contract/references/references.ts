import { Anchors } from './anchors.ts';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import { DynamicReferences } from './dynamic-references.ts';
import { Inliner } from './inlined-members.ts';
import type { Locate } from '../text/locate.ts';
import { misplacedSchemas } from './misplaced-references.ts';
import type { Diagnostic } from '../model.ts';
import { NewComponents, keyOfTarget } from './new-components.ts';
import { isReference, type ObjectKind, type PlacedObject, walkObjects } from '../document/object-kinds.ts';
import { Origins, type ReferenceTarget } from './origins.ts';
import { joinPointer, localPointer, parsePointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { type LocatedReference, reportLoops } from './reference-loops.ts';
import { ReferenceTargets } from './reference-targets.ts';
import { VisitedObjects } from '../document/visited-objects.ts';
import { innerObjects } from '../document/inner-objects.ts';
import { repairReferenceKind } from '../repairs/reference-kinds.ts';
import { namedLikeFile, plainReference } from '../repairs/references.ts';
import type { Repaired } from '../repairs/repair-list.ts';
import type { Source, Sources } from './sources.ts';

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
  bundler.components.add();
  bundler.forgetAnchors();
  reportLoops(root.value, bundler.references, report);
  return { root: root.value, locate: (pointer, part) => bundler.origins.locate(root, pointer, part) };
}

// --- internal ---

class Bundler {
  readonly references: LocatedReference[] = [];
  readonly origins: Origins;
  readonly components: NewComponents;
  readonly #root: Source;
  readonly #targets: ReferenceTargets;
  readonly #dynamic: DynamicReferences;
  readonly #visited = new VisitedObjects();
  /** Path items whose reference is being followed. */
  readonly #inlining = new Set<unknown>();
  /** Schemas with anchors. Every reference to an anchor is replaced by one to a pointer. */
  readonly #anchored: Record<string, unknown>[] = [];
  /** References whose target was missing when components were read; already reported. */
  readonly #refused = new Set<unknown>();
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #repaired: Repaired | undefined;
  readonly #inliner: Inliner | undefined;

  constructor(
    root: Source,
    sources: Sources,
    report: (diagnostic: Diagnostic) => void,
    repaired: Repaired | undefined,
  ) {
    this.#root = root;
    this.#report = report;
    this.#repaired = repaired;
    this.origins = new Origins(root);
    this.components = new NewComponents(root, this.origins);
    const parts = { anchors: new Anchors(), origins: this.origins, report, repaired };
    this.#targets = new ReferenceTargets(root, sources, parts);
    this.#dynamic = new DynamicReferences(root, parts);
    if (repaired !== undefined)
      this.#inliner = new Inliner(sources, {
        report,
        repaired,
        place: (from, pointer) => this.origins.place(from, pointer),
        originAt: (from, pointer) => this.origins.at(from, pointer),
        remember: (from, pointer, origin) => {
          this.origins.remember(from, pointer, origin);
        },
        named: (from, pointer, { source, pointer: target, value }) => {
          if (from !== root || pointer !== '/components/schemas' || !isRecord(value)) return;
          for (const [name, schema] of Object.entries(value)) {
            const at = { source, pointer: joinPointer(target, name), value: schema };
            this.components.name(keyOfTarget('schema', at), name);
          }
        },
      });
  }

  /**
   * A component that is only a reference to a schema of another file is replaced by that schema. Multi-file
   * documents often name their schemas in this way and refer to the files elsewhere.
   */
  async adopt(): Promise<void> {
    const adopted: ReferenceTarget[] = [];
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
      let from: ReferenceTarget | undefined = { source: this.#root, pointer, value };
      let target: ReferenceTarget | undefined;
      // For a file that lists others and refers to them.
      for (let next = onlyReference(value); next !== undefined && places.length < MOST_HOPS;) {
        target = await this.#targets.resolve(from.source, next, 'schema', joinPointer(from.pointer, '$ref'));
        if (target === undefined) this.#refused.add(from.value);
        if (target === undefined || target.source === this.#root) break;
        places.push(keyOfTarget('schema', target));
        from = target;
        next = onlyReference(target.value);
      }
      if (
        !isRecord(target?.value) ||
        target.source === this.#root ||
        onlyReference(target.value) !== undefined
      )
        continue;
      if (places.some((place) => this.components.has(place))) continue;
      (schemas as Record<string, unknown>)[name] = target.value;
      for (const place of places) this.components.name(place, name);
      this.origins.remember(this.#root, pointer, target);
      adopted.push(target);
    }
    for (const { source, value, pointer } of adopted)
      await this.follow(source, { kind: 'schema', value, pointer });
  }

  async follow(source: Source, start: { kind: ObjectKind; value: unknown; pointer: string }): Promise<void> {
    const waiting = [{ source, start }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const from = next.source;
      for (const object of walkObjects(next.start, ({ kind, value }) => this.#visited.isNew(kind, value))) {
        // Waiting for each object of a large document takes longer than reading it.
        if (this.#inliner?.isNeeded(object) === true) await this.#inliner.inline(from, object);
        const mapping = object.kind === 'schema' ? this.#readSchemaNames(from, object) : undefined;
        if (mapping !== undefined) waiting.push(...(await this.#readMapping(from, mapping, object.pointer)));
        this.#readKind(from, object);
        if (this.#repaired !== undefined)
          for (const start of misplacedSchemas(object)) waiting.push({ source: from, start });
        if (!isReference(object) || this.#refused.has(object.value)) continue;
        const at = joinPointer(object.pointer, '$ref');
        this.references.push({ object, place: () => this.origins.place(from, at) });
        const text = this.#targets.ownReference(from, object, at) ?? this.#plainReference(from, object, at);
        const target = await this.#targets.resolve(from, text, object.kind, at);
        if (target === undefined) continue;
        const start = { kind: object.kind, value: target.value, pointer: target.pointer };
        if (object.kind !== 'path item') {
          object.value['$ref'] = this.components.refer(text, object.kind, target);
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

  /** A copy of the schema would define its anchor a second time. */
  forgetAnchors(): void {
    for (const schema of this.#anchored) {
      delete schema['$anchor'];
      delete schema['$dynamicAnchor'];
      delete schema['$id'];
    }
  }

  /**
   * Members of a schema that would change the meaning of a `$ref`.
   *
   * @returns the mapping of its discriminator, which refers without the name `$ref`
   */
  #readSchemaNames(from: Source, { value, pointer }: PlacedObject): Record<string, unknown> | undefined {
    if (ANCHORS.some((name) => typeof value[name] === 'string')) this.#anchored.push(value);
    this.#dynamic.settle(from, { value, pointer });
    const mapping = isRecord(value['discriminator']) ? value['discriminator']['mapping'] : undefined;
    return isRecord(mapping) ? mapping : undefined;
  }

  /** The schemas that the mapping of a discriminator refers to. */
  async #readMapping(
    from: Source,
    mapping: Record<string, unknown>,
    pointer: string,
  ): Promise<{ source: Source; start: { kind: ObjectKind; value: unknown; pointer: string } }[]> {
    const found = [];
    for (const [tag, text] of Object.entries(mapping)) {
      if (typeof text !== 'string') continue;
      const isName = isRecord(valueAt(from.value, joinPointer('/components/schemas', text)));
      const at = joinPointer(pointer, 'discriminator', 'mapping', tag);
      if (this.#isMappedToNothing(from, text, at)) {
        Reflect.deleteProperty(mapping, tag);
        continue;
      }
      const named =
        this.#repaired === undefined
          ? undefined
          : (namedLikeFile(text, 'schema', from) ?? plainReference(text, 'schema', from));
      const reference =
        isName || !/[/#.]/.test(text) ? `#${joinPointer('/components/schemas', text)}` : (named ?? text);
      if (named !== undefined && !isName) this.#tellForm(from, text, named, at);
      const target = await this.#targets.resolve(from, reference, 'schema', at);
      if (target === undefined) continue;
      mapping[tag] = this.components.refer(reference, 'schema', target);
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
    if (this.#targets.suggest(from, local, 'schema') !== undefined) return false;
    this.#repaired({
      kind: 'a mapping to nothing',
      pointer: at,
      wrong: `the mapping leads to nothing: ${text}`,
      read: 'absent',
      location: this.origins.place(from, at).location,
    });
    return true;
  }

  /** A reference to a component of another kind whose meaning is clear. */
  #readKind(from: Source, object: PlacedObject): void {
    const read = this.#repaired === undefined ? undefined : repairReferenceKind(from.value, object);
    if (read === undefined) return;
    const at = joinPointer(object.pointer, '$ref');
    this.#repaired?.({ ...read, pointer: at, location: this.origins.place(from, at).location });
  }

  /** The reference as written, or with its obvious correction. */
  #plainReference(from: Source, { kind, value }: PlacedObject, at: string): string {
    const text = String(value['$ref']);
    const plain = this.#repaired === undefined ? undefined : plainReference(text, kind, from);
    if (plain === undefined) return text;
    this.#tellForm(from, text, plain, at);
    return plain;
  }

  #tellForm(from: Source, text: string, read: string, at: string): void {
    const { location } = this.origins.place(from, at);
    const wrong = `$ref target not found: ${text}`;
    this.#repaired?.({ kind: 'the form of a reference', pointer: at, wrong, read, location });
  }

  /**
   * Replaces a reference by the members of the path item that it refers to. Members beside the reference take
   * precedence.
   */
  #inline(from: Source, object: PlacedObject, target: ReferenceTarget): void {
    if (!isRecord(target.value)) return;
    if (innerObjects(target.value).has(object.value)) {
      const message = `circular $ref: ${String(object.value['$ref'])}`;
      const help = 'a path item cannot refer to one that it is inside of: write its operations here';
      const place = this.origins.place(from, joinPointer(object.pointer, '$ref'));
      this.#report(problem('ref-loop', message, { ...place, help }));
      return;
    }
    delete object.value['$ref'];
    for (const [member, value] of Object.entries(target.value)) {
      if (Object.hasOwn(object.value, member)) continue;
      object.value[member] = value;
      const pointer = joinPointer(target.pointer, member);
      this.origins.remember(from, joinPointer(object.pointer, member), { source: target.source, pointer });
    }
  }
}

/** A component gets its name before its own references are followed. */
const MOST_HOPS = 20;

/** Members that name a schema. A copy of it would define the name a second time. */
const ANCHORS = ['$anchor', '$dynamicAnchor', '$id'];

/** The target of a schema that is only a reference. */
function onlyReference(value: unknown): string | undefined {
  const text = isRecord(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined;
  return typeof text === 'string' ? text : undefined;
}
