import { createHash } from 'node:crypto';
import type { IHttpOperation } from '@stoplight/types';
import { isRecord } from '../../contract/index.ts';
import { httpMethods, operationsIn } from '../../contract/document/item-operations.ts';
import type { JsonObject } from '../../contract/model.ts';
import { resolverOf, withReferences } from './referring-operations.ts';
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
export function operationsOf(root: JsonObject): readonly DeclaredOperation[] {
  if (charactersIn(root, LARGE) > LARGE) return declaredIn(root);
  const hash = createHash('sha256').update(JSON.stringify(root)).digest('base64');
  const shared = documents.get(hash) ?? declaredIn(root);
  // The most recently used document is removed last.
  documents.delete(hash);
  documents.set(hash, shared);
  for (const [oldest] of documents) if (documents.size > MOST_SHARED) documents.delete(oldest);
  return shared;
}

// --- internal ---

const documents = new Map<string, readonly DeclaredOperation[]>();
/** The number of shared documents. */
const MOST_SHARED = 8;
/** A document with more characters is not shared. */
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

function declaredIn(root: JsonObject): readonly DeclaredOperation[] {
  const newer = newerMethodsOf(root).flatMap(({ part, methods }) =>
    withReferences(part).map((operation) => ({
      ...operation,
      method: methods.get(operation.path) ?? operation.method,
    })),
  );
  return [...withReferences(root), ...newer].map(({ method, path: declaredPath, read }) => {
    const path = asReceived(declaredPath);
    let known: IHttpOperation | undefined;
    // The same object, because the known facts about its samples are stored by object.
    const readOnce = (): IHttpOperation => {
      const operation = read();
      return Object.assign(operation, { method, path }, isOpen(operation) ? { security: [] } : {});
    };
    return { method, path, declaredPath, read: () => (known ??= readOnce()) };
  });
}

/** A document with operations that Prism cannot read, each as a POST, and their methods by path. */
interface NewerMethods {
  readonly part: JsonObject;
  readonly methods: ReadonlyMap<string, string>;
}

/** Prism knows the methods of OpenAPI 3.1. A path can have several others, each in a document of its own. */
function newerMethodsOf(document: JsonObject): NewerMethods[] {
  const resolve = resolverOf(document);
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
  return parts.map(({ paths, methods }) => ({ part: { ...document, paths } as JsonObject, methods }));
}

/** The members of a path item that apply to all of its operations. */
const COMMON = new Set(['parameters', 'servers', 'summary', 'description']);

/** Whether a call needs no credential. Prism would otherwise refuse an unexpected one. */
function isOpen({ security = [] }: IHttpOperation): boolean {
  return security.some((schemes) => schemes.length === 0);
}
