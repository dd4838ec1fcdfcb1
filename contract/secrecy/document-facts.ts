import { placeOfScheme } from '../main-scheme.ts';
import type { Contract } from '../model.ts';
import { followed } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { SecrecyFacts } from './facts.ts';

/**
 * What documents say of secrets: the places of credentials, members with `format: password`, and the examples,
 * defaults and choices, which are no secrets at any place.
 */
export function secrecyOf(contracts: readonly Pick<Contract, 'operations' | 'document'>[]): SecrecyFacts {
  const schemes = contracts.flatMap(({ operations }) =>
    operations.flatMap(({ security }) => security.flatMap((each) => each.schemes)),
  );
  const names = new Set(schemes.flatMap((scheme) => placeOfScheme(scheme)?.name.toLowerCase() ?? []));
  const members = new Set<string>();
  const publicValues = new Set<string>();
  for (const { document } of contracts) {
    // Documents may contain themselves.
    const seen = { shown: new Set<unknown>(), other: new Set<unknown>() };
    const visit = (value: unknown, isShown: boolean): void => {
      if (isShown && typeof value === 'string') publicValues.add(value);
      if (typeof value !== 'object' || value === null || publicValues.size >= MOST_VALUES) return;
      const visited = isShown ? seen.shown : seen.other;
      if (visited.has(value)) return;
      visited.add(value);
      if (Array.isArray(value)) for (const item of value) visit(item, isShown);
      else if (isRecord(value)) {
        for (const name of passwordsIn(value, document.root)) members.add(name.toLowerCase());
        for (const [name, item] of Object.entries(value)) visit(item, isShown || SHOWN.has(name));
      }
    };
    visit(document.root, false);
  }
  return { names, members, publicValues };
}

// --- internal ---

const MOST_VALUES = 100_000;

const SHOWN = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** The properties of a schema that are passwords. */
function passwordsIn({ properties }: Readonly<Record<string, unknown>>, root: unknown): readonly string[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const member = isRecord(schema) ? followed(root, schema) : undefined;
    return isRecord(member) && member['format'] === 'password' ? [name] : [];
  });
}
