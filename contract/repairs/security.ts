import { securedObjects } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Repaired } from './repair-list.ts';

type Value = Record<string, unknown>;

/**
 * Security schemes that the document requires but does not define. A name similar to that of a scheme means
 * that scheme, a name with the word token means a bearer token, and any other requirement is removed, because
 * callers could not satisfy it.
 */
export function repairSecurity(root: Value, repaired: Repaired): void {
  const components = isRecord(root['components']) ? root['components'] : {};
  const defined = components['securitySchemes'];
  const schemes: Value = isRecord(defined) ? defined : {};
  const known = Object.keys(schemes);
  for (const { value, pointer } of securedObjects(root)) {
    const requirements = value['security'];
    if (!Array.isArray(requirements)) continue;
    const read = (requirements as unknown[]).flatMap((requirement, index): unknown[] => {
      const names = isRecord(requirement) ? Object.keys(requirement) : [];
      if (!isRecord(requirement) || names.every((name) => known.includes(name))) return [requirement];
      const entries = Object.entries(requirement).flatMap(([name, scopes]): [string, unknown][] => {
        if (known.includes(name)) return [[name, scopes]];
        const meant = suggest(name, known);
        const scheme = meant === undefined ? schemeNamed(name) : undefined;
        if (scheme !== undefined) schemes[name] = scheme;
        repaired({
          kind: 'an unknown security scheme',
          pointer: joinPointer(pointer, 'security', index, name),
          wrong: `unknown security scheme ${name}`,
          read: meant ?? (scheme === undefined ? 'absent' : `${name}: ${JSON.stringify(scheme)}`),
        });
        return meant !== undefined ? [[meant, scopes]] : scheme === undefined ? [] : [[name, scopes]];
      });
      return entries.length === 0 ? [] : [Object.fromEntries(entries)];
    });
    value['security'] = read;
  }
  removeUnused(root, schemes, repaired);
  if (!isRecord(defined) && Object.keys(schemes).length > 0)
    root['components'] = { ...components, securitySchemes: schemes };
}

// --- internal ---

/** A scheme without a type has no meaning, and nothing is lost where no operation requires it. */
function removeUnused(root: Value, schemes: Value, repaired: Repaired): void {
  const used = new Set(
    [...securedObjects(root)].flatMap(({ value }) =>
      Array.isArray(value['security'])
        ? value['security'].flatMap((requirement: unknown) =>
            isRecord(requirement) ? Object.keys(requirement) : [],
          )
        : [],
    ),
  );
  for (const [name, scheme] of Object.entries(schemes)) {
    if (used.has(name) || !isRecord(scheme) || scheme['type'] !== undefined || scheme['$ref'] !== undefined)
      continue;
    Reflect.deleteProperty(schemes, name);
    repaired({
      kind: 'a security scheme without a type',
      pointer: joinPointer('/components/securitySchemes', name),
      wrong: `the security scheme ${name} has no type, and nothing requires it`,
      read: 'absent',
      part: 'name',
    });
  }
}

function schemeNamed(name: string): Readonly<Record<string, string>> | undefined {
  if (/basic/i.test(name)) return { type: 'http', scheme: 'basic' };
  return /bearer|jwt|token|oauth/i.test(name) ? { type: 'http', scheme: 'bearer' } : undefined;
}
