import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { BehaviourSheet, Json, JsonObject } from '../../contract/model.ts';

/** The content of a sheet's file; the loader adds where it was read from. */
export type SheetFile = Omit<BehaviourSheet, 'file' | 'hash' | 'locate'>;

const folder = fileURLToPath(new URL('../../specs/', import.meta.url));

const names = readdirSync(folder).sort();

/** The APIs that specs/ describes, such as `router`. */
export const apis: readonly string[] = names
  .filter((name) => name.endsWith('.openapi.yaml'))
  .map((name) => name.replace('.openapi.yaml', ''));

export const documentFile = (api: string): string => `specs/${api}.openapi.yaml`;

export const sheetFile = (api: string): string => `specs/${api}.behaviour.yaml`;

/** A fresh copy each time: tests break it on purpose. */
export function readDocument(api: string): JsonObject {
  return parse(readSpec(`${api}.openapi.yaml`)) as JsonObject;
}

export function readSheet(api: string): SheetFile {
  return parse(readSpec(`${api}.behaviour.yaml`)) as SheetFile;
}

export function readSheetSchema(): JsonObject {
  return JSON.parse(readSpec('behaviour.schema.json')) as JsonObject;
}

export function readSpec(name: string): string {
  return readFileSync(new URL(name, `file://${folder}`), 'utf8');
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a path of member names; an empty one where there is none. */
export function objectAt(root: Json | undefined, ...path: readonly string[]): JsonObject {
  const value = valueAt(root, ...path);
  return isObject(value) ? value : {};
}

export function valueAt(root: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, member) =>
      Array.isArray(value)
        ? (value[Number(member)] as Json | undefined)
        : isObject(value)
          ? value[member]
          : undefined,
    root,
  );
}

/** Sets the value at a path of a document that is about to be judged; `undefined` takes it away. */
export function setAt(root: JsonObject, path: readonly string[], value: Json | undefined): void {
  const parent = valueAt(root, ...path.slice(0, -1)) as Record<string, Json> | undefined;
  const last = path.at(-1);
  if (parent === undefined || last === undefined)
    throw new Error(`nothing at ${path.slice(0, -1).join(' > ')}`);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
}

/** Follows one `$ref` into the same document. */
export function resolve(root: JsonObject, value: Json | undefined): JsonObject {
  const ref = isObject(value) ? value['$ref'] : undefined;
  if (typeof ref !== 'string') return objectAt(value);
  return resolve(root, objectAt(root, ...ref.slice(2).split('/').map(decodeToken)));
}

/** A place in a document as a JSON pointer. */
export const pointer = (path: readonly string[]): string =>
  `#${path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;

const decodeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
