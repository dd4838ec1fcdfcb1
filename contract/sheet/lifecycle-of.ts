import type { PolicyOf } from './find-policy.ts';
import type { Contract, Json, Schema } from '../model.ts';
import { localPointer } from '../pointer.ts';
import { partsOf, propertyAt } from '../schemas/schema-parts.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** All lifecycles of a sheet. */
export function lifecyclesOf({ sheet }: Pick<Contract, 'sheet'>): readonly Lifecycle[] {
  return (sheet?.policies ?? []).filter((policy) => policy.kind === 'lifecycle');
}

/**
 * The lifecycle of the things of a schema: that of its component, else the one whose property can have its first
 * state. `undefined` if none fits.
 */
export function lifecycleOf(
  contract: Pick<Contract, 'sheet' | 'document'>,
  schema: Schema | undefined,
): Lifecycle | undefined {
  const { root } = contract.document;
  const all = lifecyclesOf(contract);
  const names = componentsIn(schema, root);
  return (
    all.find((policy) => names.has(policy.schema)) ?? all.find((policy) => canBegin(policy, schema, root))
  );
}

// --- internal ---

const COMPONENT = '/components/schemas/';

/** The components that a schema refers to or is composed of. */
function componentsIn(schema: Schema | undefined, root: Json): ReadonlySet<string> {
  const references = [...partsOf(schema, root, 'any')].flatMap(({ $ref: reference }) =>
    typeof reference === 'string' ? (localPointer(reference) ?? []) : [],
  );
  return new Set(
    references.flatMap((pointer) => (pointer.startsWith(COMPONENT) ? pointer.slice(COMPONENT.length) : [])),
  );
}

function canBegin({ property, initial }: Lifecycle, schema: Schema | undefined, root: Json): boolean {
  return propertyAt(schema, property, root).some((state) =>
    [...partsOf(state, root, 'all')].every(
      ({ enum: values, const: only }) =>
        (!Array.isArray(values) || values.includes(initial)) && (only === undefined || only === initial),
    ),
  );
}
