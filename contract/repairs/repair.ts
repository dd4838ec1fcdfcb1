import type { Document, JsonObject } from '../model.ts';
import { type PlacedObject, walkObjects } from '../document/object-kinds.ts';
import type { Locate } from '../text/locate.ts';
import { VisitedObjects } from '../document/visited-objects.ts';
import { repairRoot } from './document.ts';
import { repairJsonTexts } from './examples.ts';
import { repairClosedParts } from './closed-parts.ts';
import { repairEnum } from './enums.ts';
import { repairMapReferences } from './map-references.ts';
import { repairNames } from './names.ts';
import { repairObject } from './objects.ts';
import { repairOperations } from './operations.ts';
import type { Repaired } from './repair-list.ts';
import { repairSchema } from './schemas.ts';
import { repairSecurity } from './security.ts';
import { repairSwagger } from './swagger.ts';
import { repairValues } from './values.ts';

/**
 * Repairs slips whose meaning is obvious, in place, and reports each repair. Ambiguous slips are not changed; later
 * checks refuse them.
 *
 * @param textAt the source text at a pointer, if it is a scalar
 */
export function repairDocument(
  {
    root,
    dialect,
  }: { readonly root: JsonObject; readonly dialect: Document['dialect']; readonly locate: Locate },
  words: { readonly title: string; readonly textAt: (pointer: string) => string | undefined },
  repaired: Repaired,
): void {
  const own = root as Record<string, unknown>;
  repairRoot(own, words, repaired);
  repairNames(own, repaired);
  repairSwagger(own, repaired);
  const visited = new VisitedObjects();
  const extending: PlacedObject[] = [];
  for (const object of walkObjects({ kind: 'document', value: own, pointer: '' })) {
    if (!visited.isNew(object.kind, object.value)) continue;
    repairMapReferences(own, object, repaired);
    repairValues(object, repaired);
    if (object.kind === 'schema') {
      if ('allOf' in object.value) extending.push(object);
      repairSchema(object, dialect, repaired);
      repairEnum(object, words.textAt, repaired);
    } else repairObject(object, repaired);
    if (object.kind === 'media type') repairJsonTexts(own, object, repaired);
  }
  repairClosedParts(own, extending, repaired);
  repairSecurity(own, repaired);
  repairOperations(own, repaired);
}
