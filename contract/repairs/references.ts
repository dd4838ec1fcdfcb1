import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { componentsOf, type ObjectKind } from '../object-kinds.ts';
import { joinPointer, localPointer, parsePointer, valueAt } from '../pointer.ts';
import type { Source } from '../sources.ts';

/**
 * The obvious meaning of a broken reference: `#/definitions/Pet` of Swagger 2.0, `#components/schemas/Pet`
 * and `/components/schemas/Pet` without a character, or the bare name `Pet` of a component. `undefined` for
 * any other reference.
 */
export function plainReference(
  text: string,
  kind: ObjectKind,
  { value, address }: Source,
): string | undefined {
  const section = componentsOf[kind];
  if (section === undefined) return undefined;
  const isThere = (pointer: string): boolean => valueAt(value, pointer) !== undefined;
  const local = localPointer(text);
  if (local !== undefined) {
    if (local !== '' && parsePointer(local) === undefined)
      return isThere(`/${local}`) ? `#${encodeURI(`/${local}`)}` : undefined;
    if (isThere(local)) return undefined;
    const [, old, name] = /^\/(definitions|schemas|parameters|responses)\/(.+)$/.exec(local) ?? [];
    const now = `/components/${section}/${name ?? ''}`;
    const isOf = old === section || (old === 'definitions' && section === 'schemas');
    return isOf && isThere(now) ? `#${encodeURI(now)}` : undefined;
  }
  if (/^\/components\//.test(text)) return isThere(text) ? `#${encodeURI(text)}` : undefined;
  const named = joinPointer('/components', section, text);
  if (!/^[^\s./\\#:]+$/.test(text) || !isThere(named)) return undefined;
  return existsSync(resolve(dirname(address), text)) ? undefined : `#${named}`;
}
