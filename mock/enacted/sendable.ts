import { isJson } from '../../contract/judge/body-format.ts';
import type { JsonObject, Operation, Schema } from '../../contract/model.ts';
import { propertiesOf } from '../../contract/schemas/schema-parts.ts';
import { alternativesOf } from '../samples/alternative.ts';

/** The schema of a thing whose members also fit the body of the operation that makes one. */
export function sendable(
  shown: Schema | undefined,
  maker: Operation | undefined,
  root: JsonObject,
): Schema | undefined {
  const content = maker?.requestBody?.content.find(({ mediaType }) => isJson(mediaType));
  const names = new Set(propertiesOf(shown, root).map(([name]) => name));
  const sent = propertiesOf(content?.schema, root).filter(([name]) => names.has(name));
  // What a request may contain says nothing about one alternative of the thing.
  if (shown === undefined || sent.length === 0 || alternativesOf(shown, root).length > 1) return shown;
  return { allOf: [shown, { properties: Object.fromEntries(sent) as JsonObject }] } as Schema;
}
