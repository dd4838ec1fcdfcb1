import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { repairNullable, repairOldKeywords } from './earlier-keywords.ts';
import type { Repaired } from './repair-list.ts';
import { repairBounds, repairLists, repairNumbers } from './schema-bounds.ts';
import { repairPatterns } from './schema-patterns.ts';
import { repairRequired, repairTypes, repairWords } from './schema-shapes.ts';
import type { TellSlip } from './schema-slip.ts';

/** Repairs slips in one schema, without its subschemas. */
export function repairSchema(object: PlacedObject, dialect: '3.0' | '3.1', repaired: Repaired): void {
  const { value, pointer } = object;
  const tell: TellSlip = (kind, member, wrong, read, part) => {
    repaired({
      kind,
      pointer: joinPointer(pointer, member),
      wrong,
      read,
      ...(part === undefined ? {} : { part }),
    });
  };
  if (typeof value['$ref'] === 'string' && dialect === '3.0') return;
  repairWords(value, tell);
  repairRequired(value, tell);
  repairTypes(value, tell);
  repairLists(value, tell);
  repairBounds(value, dialect, tell);
  repairNumbers(value, tell);
  repairPatterns(value, tell);
  repairOldKeywords(value, tell);
  if (dialect === '3.1') repairNullable(value, tell);
}
