import { isJson } from '../judge/body-format.ts';
import { isRecord } from '../record.ts';
import { framingOf } from './framing.ts';

/**
 * Rewrites `itemSchema` of a media type, which is new in OpenAPI 3.2, as the schema of a list of pieces. In 3.2 both
 * have the same meaning.
 *
 * @param pointer the place of the media type, which ends with its name
 * @returns what became of the member
 */
export function settleItems(value: Record<string, unknown>, pointer: string): 'absent' | 'read' | 'left out' {
  const { itemSchema, schema: whole } = value;
  if (itemSchema === undefined) return 'absent';
  Reflect.deleteProperty(value, 'itemSchema');
  const framing = framingOf(pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('~1', '/'));
  // The parts of a request have names here, and items have none.
  if (framing === undefined || (framing === 'parts' && /\/requestBod(?:y|ies)\//.test(pointer)))
    return 'left out';
  const items = framing === 'parts' ? withType(itemSchema, value) : itemSchema;
  // A document may describe the whole body beside its items.
  const beside = isRecord(whole) && Object.keys(whole).length > 0 ? { allOf: [whole] } : {};
  value['schema'] = { type: 'array', items, ...beside };
  return 'read';
}

// --- internal ---

/** The schema of an item with the media type that its encoding gives to each part, as 3.1 writes it. JSON needs none. */
function withType(items: unknown, value: Record<string, unknown>): unknown {
  const { itemEncoding } = value;
  if (!isRecord(itemEncoding) || Object.keys(itemEncoding).join() !== 'contentType') return items;
  const { contentType } = itemEncoding;
  if (typeof contentType !== 'string' || /[,*]/.test(contentType)) return items;
  Reflect.deleteProperty(value, 'itemEncoding');
  if (isJson(contentType)) return items;
  return isRecord(items) && items['$ref'] === undefined
    ? { contentMediaType: contentType, ...items }
    : { allOf: [items], contentMediaType: contentType };
}
