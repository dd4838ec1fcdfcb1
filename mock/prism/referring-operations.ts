import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IHttpOperation } from '@stoplight/types';
import { isRecord, localPointer, parsePointer, valueAt } from '../../contract/index.ts';
import { httpMethods } from '../../contract/document/item-operations.ts';
import type { JsonObject } from '../../contract/model.ts';
import { withTargets } from './example-references.ts';
import { type PrismOperation, withSamplesOf } from './sampled-operations.ts';

/** An operation that Prism has not read yet, with the path that the document writes. */
export interface UnreadOperation {
  readonly method: string;
  readonly path: string;
  readonly read: () => IHttpOperation;
}

/** The targets of a document's local references; `undefined` for any other text. */
export function resolverOf(document: JsonObject): (reference: string) => unknown {
  return (reference) => {
    const pointer = localPointer(reference);
    return pointer === undefined || parsePointer(pointer) === undefined
      ? undefined
      : valueAt(document, pointer);
  };
}

/** The operations of a document, to be read one by one with their references. */
export function withReferences(document: JsonObject): UnreadOperation[] {
  const prismRequire = createRequire(require.resolve(READER));
  const { transformOas3Operation } = prismRequire('@stoplight/http-spec/oas3/operation') as Transforming;
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
  const read = (name: string, method: string): IHttpOperation => {
    const { request, responses, ...rest } = transformOas3Operation({
      document,
      name,
      method,
      config: OF_PATHS,
    });
    const made = {
      ...rest,
      request: bundled(request, 'request'),
      responses: bundled(responses, 'response'),
      __bundled__: bundle,
    } as PrismOperation;
    withSamplesOf(made, (reference) => bundle[reference.slice(BUNDLE.length)]);
    return made as unknown as IHttpOperation;
  };
  return Object.entries(isRecord(document['paths']) ? document['paths'] : {}).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {})
      .filter(([method, operation]) => METHODS.has(method) && isRecord(operation))
      .map(([method]) => ({ method, path, read: () => read(path, method) })),
  );
}

// --- internal ---

/** The place at which Prism expects the targets of an operation's references. */
const BUNDLE = '#/__bundled__/';

/** What Prism reads: the operations of paths, not of webhooks. */
const OF_PATHS = { type: 'operation', documentProp: 'paths', nameProp: 'path' } as const;

const METHODS: ReadonlySet<string> = new Set(httpMethods);
const require = createRequire(import.meta.url);
/** Prism's copy of the packages that read a document. */
const READER = '@stoplight/prism-http/dist/utils/operations.js';

interface Transforming {
  readonly transformOas3Operation: (wanted: {
    readonly document: object;
    readonly name: string;
    readonly method: string;
    readonly config: typeof OF_PATHS;
  }) => PrismOperation;
}
interface Converting {
  readonly convertSchema: (document: object, schema: unknown) => Readonly<Record<string, unknown>>;
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
      name === '$ref' && typeof member === 'string' && resolve(member) !== undefined
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
