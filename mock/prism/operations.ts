import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IHttpOperation } from '@stoplight/types';
import { isRecord, localPointer, parsePointer, valueAt } from '../../contract/index.ts';
import { httpMethods, operationsIn } from '../../contract/document/item-operations.ts';
import type { JsonObject } from '../../contract/model.ts';
import { boundedSchema } from './bounded-schema.ts';
import { withTargets } from './example-references.ts';
import { withoutPostman } from './patches.ts';
import { asReceived } from './route-index.ts';

/**
 * The operations of a document as Prism reads them, with paths as in requests; read-only. Mocks of one
 * document share them, and thereby the schemas that Prism compiles: tests make a mock for each test.
 */
export async function operationsOf(root: JsonObject): Promise<readonly IHttpOperation[]> {
  const text = JSON.stringify(root);
  if (text.length > LARGE) return readOperations(root, true);
  const hash = createHash('sha256').update(text).digest('base64');
  const shared = documents.get(hash) ?? readOperations(root, false);
  // The most recently used document is removed last.
  documents.delete(hash);
  documents.set(hash, shared);
  for (const [oldest] of documents) if (documents.size > MOST_SHARED) documents.delete(oldest);
  return shared;
}

/** The path of an operation as the document writes it, with a fragment that no request has. */
export function declaredPath(operation: IHttpOperation): string {
  return declaredPaths.get(operation) ?? operation.path;
}

/** The operation with finite schemas, for generating an answer. */
export function forSamples<Resource extends object>(resource: Resource): Resource {
  const known = samples.get(resource) ?? sampledOf(resource);
  samples.set(resource, known);
  return known() as Resource;
}

// --- internal ---

const declaredPaths = new WeakMap<IHttpOperation, string>();
const documents = new Map<string, Promise<readonly IHttpOperation[]>>();
/** The number of shared documents. */
const MOST_SHARED = 8;
/** A document with a longer JSON text is large: it is not shared, and its references stay. */
const LARGE = 200_000;

/**
 * Prism replaces each reference by its target. That takes half of the time in which the mock of a large document starts,
 * and schemas with many references to each other would exceed any memory. Such documents are read here with their
 * references intact.
 */
async function readOperations(root: JsonObject, isLarge: boolean): Promise<readonly IHttpOperation[]> {
  // Prism resolves references in place; the contract keeps its own copy.
  const document = structuredClone(root);
  const resolve = resolverOf(document);
  const isData = (reference: unknown): boolean =>
    typeof reference === 'string' && resolve(reference) === undefined;
  const hasHidden = renamed(document, '$ref', UNFOLLOWED, isData);
  const read = async (part: JsonObject): Promise<IHttpOperation[]> =>
    isLarge || explodes(part)
      ? (withReferences(part) as unknown as IHttpOperation[])
      : await prism().getHttpOperationsFromSpec(part);
  const newer = withNewerMethods(document, resolve);
  const operations = await read(document);
  for (const { part, methods } of newer) {
    const found = await read(part);
    for (const operation of found) Object.assign(operation, { method: methods.get(operation.path) });
    operations.push(...found);
  }
  if (hasHidden) renamed(operations, UNFOLLOWED, '$ref', () => true);
  // The same objects, because the known facts about their samples are stored by object.
  for (const operation of operations) {
    declaredPaths.set(operation, operation.path);
    Object.assign(operation, {
      path: asReceived(operation.path),
      ...(isOpen(operation) ? { security: [] } : {}),
    });
  }
  return operations;
}

/** A document with operations that Prism cannot read, each as a POST, and their methods by path. */
interface NewerMethods {
  readonly part: JsonObject;
  readonly methods: ReadonlyMap<string, string>;
}

/** Prism knows the methods of OpenAPI 3.1. A path can have several others, each in a document of its own. */
function withNewerMethods(document: JsonObject, resolve: (reference: string) => unknown): NewerMethods[] {
  const parts: { paths: Record<string, unknown>; methods: Map<string, string> }[] = [];
  for (const [path, raw] of Object.entries(isRecord(document['paths']) ? document['paths'] : {})) {
    const reference = isRecord(raw) ? raw['$ref'] : undefined;
    const item = typeof reference === 'string' ? resolve(reference) : raw;
    const newer = operationsIn(item).filter(({ method }) => !httpMethods.includes(method));
    if (newer.length === 0 || path.startsWith('x-')) continue;
    const common = Object.entries(item as object).filter(([member]) => COMMON.has(member));
    newer.forEach(({ method, operation }, index) => {
      const part = (parts[index] ??= { paths: {}, methods: new Map() });
      part.paths[path] = { ...Object.fromEntries(common), post: operation };
      part.methods.set(path, method.toLowerCase());
    });
  }
  // Copies, because Prism resolves references in place.
  return parts.map(({ paths, methods }) => ({
    part: structuredClone({ ...document, paths }) as JsonObject,
    methods,
  }));
}

/** The members of a path item that apply to all of its operations. */
const COMMON = new Set(['parameters', 'servers', 'summary', 'description']);

/** Whether a call needs no credential. Prism would otherwise refuse an unexpected one. */
function isOpen({ security = [] }: IHttpOperation): boolean {
  return security.some((schemes) => schemes.length === 0);
}

const samples = new WeakMap<object, () => object>();

/** The parts of Prism's operation that this module changes. */
interface Resource {
  readonly request?: unknown;
  readonly responses: readonly { readonly contents?: readonly { readonly schema?: unknown }[] }[];
}
interface Reading {
  readonly getHttpOperationsFromSpec: (document: object) => Promise<IHttpOperation[]>;
}
interface Transforming {
  readonly transformOas3Operations: (document: object) => Resource[];
}
interface Converting {
  readonly convertSchema: (document: object, schema: unknown) => Readonly<Record<string, unknown>>;
}

const require = createRequire(import.meta.url);
const READER = '@stoplight/prism-http/dist/utils/operations.js';

function prism(): Reading {
  return withoutPostman(READER, () => require(READER) as Reading);
}

/**
 * A contract refers only to parts of its one document. Any other `$ref` is data, such as a part of an
 * example, but Prism would open the file that it names.
 */
const UNFOLLOWED = '$ref that is data';

/** Renames each member that has such a value, and keeps its position. Returns whether there was any. */
function renamed(root: unknown, from: string, to: string, when: (value: unknown) => boolean): boolean {
  const seen = new Set<object>();
  let hasAny = false;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    for (const member of Object.values(node)) visit(member);
    if (!Object.hasOwn(node, from) || !when((node as Record<string, unknown>)[from])) return;
    hasAny = true;
    for (const [name, value] of Object.entries(node)) {
      Reflect.deleteProperty(node, name);
      const placed = { value, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(node, name === from ? to : name, placed);
    }
  };
  visit(root);
  return hasAny;
}

function resolverOf(document: JsonObject): (reference: string) => unknown {
  return (reference) => {
    const pointer = localPointer(reference);
    return pointer === undefined || parsePointer(pointer) === undefined
      ? undefined
      : valueAt(document, pointer);
  };
}

/**
 * The limits for the number of nodes after references are replaced, for a small document and as a multiple of
 * its size.
 */
const MOST_NODES = 300_000;
const MOST_TIMES = 20;

/** Whether the document exceeds the limit with each reference replaced by its target, down to repetitions. */
function explodes(document: JsonObject): boolean {
  const resolve = resolverOf(document);
  let nodes = 0;
  let most = Infinity;
  const count = (node: unknown, path: readonly string[], follow: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    nodes += 1;
    if (nodes > most) return;
    const { $ref } = node as { readonly $ref?: unknown };
    if (follow && typeof $ref === 'string') {
      if (!path.includes($ref)) count(resolve($ref), [...path, $ref], follow);
      return;
    }
    for (const member of Object.values(node)) count(member, path, follow);
  };
  count(document, [], false);
  most = Math.max(MOST_NODES, nodes * MOST_TIMES);
  nodes = 0;
  count(document['paths'], [], true);
  return nodes > most;
}

/** The place at which Prism expects the targets of an operation's references. */
const BUNDLE = '#/__bundled__/';

function withReferences(document: JsonObject): Resource[] {
  const prismRequire = createRequire(require.resolve(READER));
  const { transformOas3Operations } = prismRequire('@stoplight/http-spec/oas3/operation') as Transforming;
  const { convertSchema } = prismRequire(
    // Imported by its file, because it is not exported.
    join(dirname(prismRequire.resolve('@stoplight/http-spec/oas3/operation')), '../oas/transformers/schema'),
  ) as Converting;
  const resolve = resolverOf(document);
  const bundle: Record<string, unknown> = {};
  const names = new Map<string, string>();
  // A member that only the other side may set is not required.
  const bundled = (value: unknown, side: 'request' | 'response'): unknown =>
    rewritten(value, side === 'request' ? 'readOnly' : 'writeOnly', resolve, (reference) => {
      const known = names.get(`${side} ${reference}`);
      if (known !== undefined) return `${BUNDLE}${known}`;
      const name = `${side}-${String(names.size)}`;
      names.set(`${side} ${reference}`, name);
      const { $schema: _dialect, ...schema } = convertSchema(document, resolve(reference));
      bundle[name] = bundled(schema, side);
      return `${BUNDLE}${name}`;
    });
  return transformOas3Operations(document).map((operation) => {
    const { request, responses, ...rest } = operation;
    const made = {
      ...rest,
      request: bundled(request, 'request'),
      responses: bundled(responses, 'response'),
      __bundled__: bundle,
    } as Resource;
    let sample: Resource | undefined;
    samples.set(
      made,
      () => (sample ??= bounded(made, (reference) => bundle[reference.slice(BUNDLE.length)])),
    );
    return made;
  });
}

/** A copy with other references, and without requirements for members of the other side. */
function rewritten(
  value: unknown,
  otherSide: 'readOnly' | 'writeOnly',
  resolve: (reference: string) => unknown,
  refer: (reference: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => rewritten(item, otherSide, resolve, refer));
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    copy[name] =
      name === '$ref' && typeof member === 'string' && member.startsWith('#')
        ? refer(member)
        : name === 'examples' && Array.isArray(member)
          ? withTargets(member, resolve)
          : rewritten(member, otherSide, resolve, refer);
  const { properties, required } = value;
  if (isRecord(properties) && Array.isArray(required))
    copy['required'] = required.filter((name: unknown) => {
      const member = properties[String(name)];
      return !(isRecord(member) && member[otherSide] === true);
    });
  return copy;
}

/**
 * Prism adds the bounds of formats such as `int64` to schemas and generates the smallest number, which is an
 * unrealistic id; and it generates write-only members.
 */
function sampledOf(resource: object): () => object {
  let made: object | undefined;
  return () => {
    if (made !== undefined) return made;
    const { responses, ...rest } = resource as Resource;
    const copy = structuredClone(responses);
    const seen = new Set<object>();
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null || seen.has(node)) return;
      seen.add(node);
      const { properties } = node as { readonly properties?: unknown };
      for (const name of ['minimum', 'maximum'])
        if (BOUNDS.has((node as Record<string, unknown>)[name])) Reflect.deleteProperty(node, name);
      if (isRecord(properties))
        for (const [name, member] of Object.entries(properties))
          if (isRecord(member) && member['writeOnly'] === true) Reflect.deleteProperty(properties, name);
      for (const member of Object.values(node)) visit(member);
    };
    visit(copy);
    return (made = { ...rest, responses: copy });
  };
}

const BOUNDS: ReadonlySet<unknown> = new Set([
  ...[Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ...[-(2 ** 31), 2 ** 31 - 1, -Number.MAX_VALUE, Number.MAX_VALUE, -(2 ** 128), 2 ** 128],
]);

function bounded(operation: Resource, resolve: (reference: string) => unknown): Resource {
  return {
    ...operation,
    responses: operation.responses.map((response) => ({
      ...response,
      contents: (response.contents ?? []).map((content) => {
        if (content.schema === undefined) return content;
        return { ...content, schema: boundedSchema(content.schema, resolve) ?? {} };
      }),
    })),
  } as Resource;
}
