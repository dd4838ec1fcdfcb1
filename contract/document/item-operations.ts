import type { HttpMethod } from '../model.ts';
import { isRecord } from '../record.ts';

export const httpMethods: readonly HttpMethod[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
];

/**
 * The extension of a path item that holds operations of OpenAPI 3.2 for which 3.1 has no member, by method.
 */
export const NEWER_OPERATIONS = 'x-tallystick-operations';

/** The extension of a cookie that is written as it is: `style: cookie` of OpenAPI 3.2. */
export const NEWER_STYLE = 'x-tallystick-style';

/** An operation of a path item, with its place. */
export interface ItemOperation {
  readonly method: HttpMethod;
  readonly operation: Record<string, unknown>;
  /** The object that contains the operation, and the name of the operation in it. */
  readonly owner: Record<string, unknown>;
  readonly name: string;
  /** Its place below the path item. */
  readonly tokens: readonly string[];
}

/** The operations of a path item, those of OpenAPI 3.2 last. */
export function operationsIn(item: unknown): ItemOperation[] {
  if (!isRecord(item)) return [];
  const found: ItemOperation[] = [];
  const take = (owner: unknown, method: HttpMethod, name: string, tokens: readonly string[]): void => {
    const operation = isRecord(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined;
    if (isRecord(owner) && isRecord(operation)) found.push({ method, operation, owner, name, tokens });
  };
  for (const method of [...httpMethods, 'query'] as const) take(item, method, method, [method]);
  for (const member of ['additionalOperations', NEWER_OPERATIONS]) {
    const operations = item[member];
    for (const name of isRecord(operations) ? Object.keys(operations) : [])
      take(operations, name as HttpMethod, name, [member, name]);
  }
  return found;
}
