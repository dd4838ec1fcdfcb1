import { isJson } from '../judge/body-format.ts';
import type { Json, Operation } from '../model.ts';
import { followed } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { propertyAt } from '../schemas/schema-parts.ts';

/** Where the calls of an operation have the id of their thing. */
export interface IdPlace {
  readonly in: 'path' | 'query' | 'body';
  /** Of the parameter, or of the member of the body. */
  readonly name: string;
}

/**
 * The place of an id: the only path parameter; else a query parameter or a member of a JSON body that each call has. `undefined`
 * for an operation that has none of them.
 *
 * @param id.member of a thing, by which a body may name it as well
 */
export function idPlace(
  { parameters, requestBody }: Operation,
  { parameter, member }: { readonly parameter: string; readonly member: string },
  root: Json,
): IdPlace | undefined {
  const [inPath, ...more] = parameters.filter(({ in: place }) => place === 'path');
  if (inPath !== undefined)
    return more.length === 0 && inPath.name === parameter ? { in: 'path', name: parameter } : undefined;
  if (parameters.some((one) => one.in === 'query' && one.name === parameter && one.required))
    return { in: 'query', name: parameter };
  const content = requestBody?.content.find(({ mediaType }) => isJson(mediaType));
  const schema = followed(root, content?.schema);
  const required: unknown = isRecord(schema) ? schema['required'] : undefined;
  const name = [parameter, member].find(
    (one) => Array.isArray(required) && required.includes(one) && propertyAt(content?.schema, one, root)[0],
  );
  return name === undefined ? undefined : { in: 'body', name };
}
