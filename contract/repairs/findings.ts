import { isInSchema } from '../document/object-kinds.ts';
import { joinPointer, parsePointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { type SchemaFinding, isAboutName, REMOVE } from '../schemas/schema-findings.ts';
import type { Repaired } from './repair-list.ts';

/**
 * Removes members that the validator refuses and no tool reads: unknown members that are not misspelt, and
 * invalid contacts, licences and links to documentation. Returns whether anything changed.
 */
export function repairFindings(
  root: unknown,
  findings: readonly SchemaFinding[],
  repaired: Repaired,
): boolean {
  let changed = false;
  for (const finding of findings) {
    const removed = isAboutName(finding) ? unknownMember(finding) : informational(finding);
    if (removed === undefined) continue;
    const tokens = parsePointer(removed) ?? [];
    const owner = valueAt(root, joinPointer('', ...tokens.slice(0, -1)));
    const name = tokens.at(-1) ?? '';
    if (!isRecord(owner) || !Object.hasOwn(owner, name)) continue;
    Reflect.deleteProperty(owner, name);
    changed = true;
    repaired({
      kind: isAboutName(finding) ? 'an unknown member' : 'information that is not valid',
      pointer: removed,
      wrong: finding.message,
      read: 'absent',
      part: 'name',
    });
  }
  return changed;
}

// --- internal ---

function unknownMember({ pointer, help }: SchemaFinding): string | undefined {
  return help === REMOVE && !isInSchema(pointer) ? pointer : undefined;
}

/** Purely informative objects: a member, or the whole object, can be removed. */
function informational({ pointer }: SchemaFinding): string | undefined {
  return /^.*\/externalDocs(?=\/|$)|^\/info\/(?:contact\/[^/]+|contact|license|termsOfService)/.exec(
    pointer,
  )?.[0];
}
