import type { Anchors } from './anchors.ts';
import { type DiagnosticCode, problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import { componentsOf, kindAt, type ObjectKind, type PlacedObject } from '../document/object-kinds.ts';
import type { Origins, ReferenceTarget } from './origins.ts';
import { joinPointer, localPointer, parsePointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { ReferencePlace } from './reference-loops.ts';
import type { Source, Sources } from './sources.ts';
import { suggest } from '../diagnostics/suggest.ts';

/** Finds the targets of references, and reports those that cannot be found. */
export class ReferenceTargets {
  readonly #root: Source;
  readonly #sources: Sources;
  readonly #anchors: Anchors;
  readonly #origins: Origins;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #suggestions = new Map<string, string | undefined>();

  constructor(
    root: Source,
    sources: Sources,
    parts: {
      readonly anchors: Anchors;
      readonly origins: Origins;
      readonly report: (diagnostic: Diagnostic) => void;
    },
  ) {
    this.#root = root;
    this.#sources = sources;
    this.#anchors = parts.anchors;
    this.#origins = parts.origins;
    this.#report = parts.report;
  }

  /** The target of a reference as it is written in a file; `undefined` after a diagnostic. */
  async resolve(
    from: Source,
    text: string,
    kind: ObjectKind,
    at: string,
  ): Promise<ReferenceTarget | undefined> {
    const place = (): ReferencePlace => this.#origins.place(from, at);
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
      const meant = this.suggest(source, pointer, kind);
      const help =
        meant === undefined ? 'add the target, or correct the $ref' : `did you mean ${uri}#${meant}?`;
      return refuse('ref-dangling', `$ref target not found: ${text}`, help);
    }
    if (source === this.#root && AROUND_COMPONENTS.test(pointer))
      return refuse(
        'ref-kind',
        `$ref points to ${pointer === '' ? 'the document' : 'the components'}, not to ${article(kind)} ${kind}: ${text}`,
        `refer to ${article(kind)} ${kind}`,
      );
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
  ownReference(from: Source, { kind, value }: PlacedObject, at: string): string | undefined {
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
      this.#report(problem('schema-id', message, { ...this.#origins.place(from, at), help }));
    }
    return undefined;
  }

  /** The target inside a schema that has an address of its own. */
  #inResource(
    source: Source,
    resource: string,
    part: string,
    refuse: (code: DiagnosticCode, message: string, help?: string) => undefined,
  ): ReferenceTarget | undefined {
    const isAnchor = parsePointer(part) === undefined;
    const [found] = isAnchor ? this.#anchors.namedIn(source, part, resource) : [resource + part];
    const value = found === undefined ? undefined : valueAt(source.value, found);
    if (found !== undefined && (isRecord(value) || typeof value === 'boolean'))
      return { source, pointer: found, value };
    return refuse('ref-dangling', `$ref target not found: ${part} in the schema at #${resource}`);
  }

  /** The pointer to an existing target with a similar name. */
  suggest(source: Source, pointer: string, kind: ObjectKind): string | undefined {
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

// --- internal ---

/** Parts of the document that hold components: one of them would hold itself. An extension holds none. */
const AROUND_COMPONENTS = /^(?:\/components(?:\/(?!x-)[^/]*)?)?$/;

/** Comparing names takes time, and a document with more broken references than this has another problem. */
const MOST_SUGGESTIONS = 20;

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
