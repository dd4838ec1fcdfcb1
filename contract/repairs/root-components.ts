import { singular } from '../text/singular.ts';
import { componentsOf } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/**
 * Moves components that are at the root, as in Swagger 2.0 or because of missing indentation, before
 * references are followed. If a name exists in both places, either could be meant, and nothing is moved.
 */
export function repairRootComponents(root: Record<string, unknown>, repaired: Repaired): void {
  repairSections(root['components'], repaired);
  for (const [name, section] of Object.entries(SECTIONS)) {
    const found = root[name];
    const components = root['components'] ?? {};
    if (!isRecord(found) || !isRecord(components)) continue;
    const there = components[section] ?? {};
    if (!isRecord(there) || Object.keys(found).some((each) => Object.hasOwn(there, each))) continue;
    Reflect.deleteProperty(root, name);
    root['components'] = { ...components, [section]: { ...there, ...found } };
    // Reads components at the root in addition to the proper ones.
    const tokens = Object.keys(there).length === 0 ? [[]] : Object.keys(found).map((each) => [each]);
    for (const token of tokens)
      repaired({
        kind: 'components at the root',
        pointer: joinPointer('', name, ...token),
        wrong: `${name} is not a member of an OpenAPI 3 document`,
        read: `components.${section}`,
        part: 'name',
        renamedTo: joinPointer('/components', section, ...token),
      });
  }
}

// --- internal ---

/** Sections in the singular, and components without a value. Both are referred to. */
function repairSections(components: unknown, repaired: Repaired): void {
  if (!isRecord(components)) return;
  for (const section of Object.values(componentsOf)) {
    const one = singular(section);
    const [found, there] = [components[one], components[section] ?? {}];
    if (
      isRecord(found) &&
      isRecord(there) &&
      Object.keys(found).every((name) => !Object.hasOwn(there, name))
    ) {
      components[section] = { ...there, ...found };
      Reflect.deleteProperty(components, one);
      repaired({
        kind: 'a section of components in the singular',
        pointer: joinPointer('/components', one),
        wrong: `${one} is not a member of components`,
        read: section,
        part: 'name',
        renamedTo: joinPointer('/components', section),
      });
    }
    const named = components[section];
    for (const [name, component] of isRecord(named) ? Object.entries(named) : []) {
      if (component !== null || name.startsWith('x-')) continue;
      (named as Record<string, unknown>)[name] = {};
      repaired({
        kind: 'a name without a value',
        pointer: joinPointer('/components', section, name),
        wrong: `${name} has no value`,
        read: '{}',
        part: 'name',
      });
    }
  }
}

const SECTIONS: Readonly<Record<string, string>> = {
  definitions: 'schemas',
  schemas: 'schemas',
  responses: 'responses',
  parameters: 'parameters',
  requestBodies: 'requestBodies',
  headers: 'headers',
  securityDefinitions: 'securitySchemes',
  securitySchemes: 'securitySchemes',
};
