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
  const { itemSchema: items, schema: whole } = value;
  if (items === undefined) return 'absent';
  Reflect.deleteProperty(value, 'itemSchema');
  const framing = framingOf(pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('~1', '/'));
  // The parts of a request have names here, and items have none.
  if (framing === undefined || (framing === 'parts' && /\/requestBod(?:y|ies)\//.test(pointer)))
    return 'left out';
  // A document may describe the whole body beside its items.
  const beside = isRecord(whole) && Object.keys(whole).length > 0 ? { allOf: [whole] } : {};
  value['schema'] = { type: 'array', items, ...beside };
  return 'read';
}
