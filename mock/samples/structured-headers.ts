import { isJson } from '../../contract/judge/body-format.ts';
import type { JsonObject, ResponseHeader, Schema } from '../../contract/model.ts';
import { isRecord } from '../../contract/record.ts';
import type { HeaderLine } from '../call/answer.ts';
import { schemaSample } from './schema-sample.ts';

/**
 * The declared headers of an answer whose values are lists, objects, booleans or JSON. Prism makes only texts and numbers.
 *
 * @param made the headers that the answer has already
 * @param root the document in which `$ref`s are resolved
 */
export function structuredHeaders(
  declared: readonly ResponseHeader[],
  made: readonly HeaderLine[],
  root: JsonObject,
): HeaderLine[] {
  const known = new Set(made.map(([name]) => name.toLowerCase()));
  return declared.flatMap((header): HeaderLine[] => {
    if (known.has(header.name.toLowerCase()) || OF_CONNECTIONS.test(header.name)) return [];
    const text = textOf(header, root);
    return text === undefined ? [] : [[header.name, text]];
  });
}

// --- internal ---

const OF_CONNECTIONS = /^(?:connection|trailer|transfer-encoding|upgrade)$/i;

function textOf({ schema, explode, mediaType }: ResponseHeader, root: JsonObject): string | undefined {
  const value = schemaSample(schema, root);
  if (mediaType !== undefined) return isJson(mediaType) ? JSON.stringify(value) : undefined;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    // A list without items would be an empty header, which many clients read as none.
    const items = isRecord(schema) ? schema['items'] : undefined;
    const all = value.length > 0 || items === undefined ? value : [schemaSample(items as Schema, root)];
    return all.length === 0 ? undefined : all.map(String).join(',');
  }
  if (!isRecord(value) || Object.keys(value).length === 0) return undefined;
  const pairs = Object.entries(value).map(
    ([name, member]) => `${name}${explode ? '=' : ','}${String(member)}`,
  );
  return pairs.join(',');
}
