import { isJson } from '../../contract/judge/body-format.ts';
import { isRecord } from '../../contract/index.ts';
import type { JsonObject, MediaType, Operation, Schema } from '../../contract/model.ts';
import { flattened } from '../samples/flat-schema.ts';

/** The status that the document declares for success: the first of the preferred ones, else any. */
export function successOf({ responses }: Operation, wanted: readonly number[]): number | undefined {
  const declared = responses.map(({ status }) => status.toUpperCase());
  const named = wanted.find((status) => declared.includes(String(status)));
  if (named !== undefined) return named;
  const other = declared.find((status) => /^2\d\d$/.test(status));
  if (other !== undefined) return Number(other);
  return declared.some((status) => status === '2XX' || status === 'DEFAULT') ? wanted[0] : undefined;
}

/** The status for a body that would make a thing invalid. */
export function badInput({ responses }: Operation): number {
  const declared = responses.map(({ status }) => status);
  return [422, 400].find((status) => declared.includes(String(status))) ?? 400;
}

/** The JSON content of an answer with a status. */
export function jsonOf({ responses }: Operation, status: number): MediaType | undefined {
  const found = [String(status), '2XX', 'DEFAULT'].flatMap(
    (wanted) => responses.find((response) => response.status.toUpperCase() === wanted) ?? [],
  )[0];
  return found?.content.find(({ mediaType }) => isJson(mediaType));
}

/** The schema of a member of an object. */
export function memberOf(schema: Schema | undefined, name: string, root: JsonObject): Schema | undefined {
  const { properties } = flattened(schema, root);
  return isRecord(properties) && Object.hasOwn(properties, name) ? (properties[name] as Schema) : undefined;
}
