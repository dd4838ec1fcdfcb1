import type { Json, Operation } from '../../../contract/model.ts';
import { partsOf, propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { isObject } from '../../exchanges/exchange.ts';
import { sentContent } from '../own-api.ts';
import type { OwnApi } from '../own-api.ts';

/** The members of a request that a server has to assume if they are left out (OpenAPI, "Schema Object": `default`). */
export function defaultsOf(
  { root }: OwnApi,
  operation: Operation,
  sent: Json | undefined,
): readonly (readonly [name: string, value: unknown])[] {
  if (!isObject(sent)) return [];
  return propertiesOf(sentContent(operation)?.schema, root).flatMap(([name, schema]) => {
    // Beside a reference, a default replaces that of the schema to which it leads.
    const parts = [...partsOf(schema, root, 'all')];
    if (Object.hasOwn(sent, name) || parts.some((part) => part['readOnly'] === true)) return [];
    const own = parts.find((part) => Object.hasOwn(part, 'default'));
    return own === undefined ? [] : [[name, own['default']] as const];
  });
}

/** The body without the members that a server fills in. */
export function withoutDefaults(api: OwnApi, create: Operation, body: Json | undefined): Json | undefined {
  if (!isObject(body)) return body;
  const names = new Set(defaultsOf(api, create, {}).map(([name]) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name))) as Json;
}
