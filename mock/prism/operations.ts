import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { IHttpOperation } from '@stoplight/types';
import { isRecord } from '../../contract/index.ts';
import { httpMethods, operationsIn } from '../../contract/document/item-operations.ts';
import type { JsonObject } from '../../contract/model.ts';
import { withoutPostman } from './patches.ts';
import { READER, resolverOf, type UnreadOperation, withReferences } from './referring-operations.ts';
import { asReceived } from './route-index.ts';

/** An operation of a document, which Prism reads when it is needed. */
export interface DeclaredOperation {
  /** In lower case. */
  readonly method: string;
  /** As in requests. */
  readonly path: string;
  /** As the document writes it, with a fragment that no request has. */
  readonly declaredPath: string;
  /** As Prism reads it, with its path as in requests; read-only. */
  readonly read: () => IHttpOperation;
}

/**
 * The operations of a document. Mocks of one document share them, and thereby the schemas that Prism compiles: tests
 * make a mock for each test.
 */
export async function operationsOf(root: JsonObject): Promise<readonly DeclaredOperation[]> {
  if (charactersIn(root, LARGE) > LARGE) return readOperations(root, true);
  const hash = createHash('sha256').update(JSON.stringify(root)).digest('base64');
  const shared = documents.get(hash) ?? readOperations(root, false);
  // The most recently used document is removed last.
  documents.delete(hash);
  documents.set(hash, shared);
  for (const [oldest] of documents) if (documents.size > MOST_SHARED) documents.delete(oldest);
  return shared;
}

// --- internal ---

const documents = new Map<string, Promise<readonly DeclaredOperation[]>>();
/** The number of shared documents. */
const MOST_SHARED = 8;
/** A document with more characters is large: it is not shared, and its references stay. */
const LARGE = 150_000;

/** About how many characters of JSON a value has, without brackets and commas. Stops counting above `most`. */
function charactersIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return String(value).length;
  let count = 0;
  for (const [name, member] of Object.entries(value)) {
    count += name.length + charactersIn(member, most - count);
    if (count > most) break;
  }
  return count;
}

/**
 * Prism replaces each reference by its target. That takes half of the time in which the mock of a large document starts,
 * and schemas with many references to each other would exceed any memory. Of such documents, each operation is read when
 * it is called, and its references stay.
 */
async function readOperations(root: JsonObject, isLarge: boolean): Promise<readonly DeclaredOperation[]> {
  // Prism resolves references in place; the contract keeps its own copy.
  const document = structuredClone(root);
  const resolve = resolverOf(document);
  const isData = (reference: unknown): boolean =>
    typeof reference === 'string' && resolve(reference) === undefined;
  const hasHidden = renamed(document, '$ref', UNFOLLOWED, isData);
  const read = async (part: JsonObject): Promise<UnreadOperation[]> => {
    if (isLarge || explodes(part)) return withReferences(part);
    const operations = await prism().getHttpOperationsFromSpec(part);
    return operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      read: () => operation,
    }));
  };
  const declared = ({ method, path, read: whole }: UnreadOperation): DeclaredOperation => {
    let known: IHttpOperation | undefined;
    const inRequests = asReceived(path);
    const readOnce = (): IHttpOperation => {
      const operation = whole();
      if (hasHidden) renamed(operation, UNFOLLOWED, '$ref', () => true);
      // The same object, because the known facts about its samples are stored by object.
      return Object.assign(
        operation,
        { method, path: inRequests },
        isOpen(operation) ? { security: [] } : {},
      );
    };
    return { method, path: inRequests, declaredPath: path, read: () => (known ??= readOnce()) };
  };
  const newer = withNewerMethods(document, resolve);
  const operations = await read(document);
  for (const { part, methods } of newer)
    for (const operation of await read(part))
      operations.push({ ...operation, method: methods.get(operation.path) ?? operation.method });
  return operations.map(declared);
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

interface Reading {
  readonly getHttpOperationsFromSpec: (document: object) => Promise<IHttpOperation[]>;
}
const require = createRequire(import.meta.url);

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
