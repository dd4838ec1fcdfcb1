import type { Json, JsonObject, Schema } from '../model.ts';

/** A schema with its name. */
export interface NamedComponent {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Expresses `discriminator` in the branches of `oneOf` and `anyOf`: each branch requires its tag. The tag is
 * that of `mapping`; else the value that the branch allows for the property; else, by OpenAPI, the name of
 * the branch. Branches keep their references, so the result has the same meaning for readers that ignore the
 * keyword.
 *
 * If every branch has tags and no tag occurs twice, the keyword itself is kept, without `mapping`.
 *
 * @param at returns the value at a pointer of the document
 */
export function tagBranches(schema: JsonObject, at: (pointer: string) => unknown): JsonObject {
  const { discriminator, ...rest } = schema;
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return schema;
  const kind = Array.isArray(schema['oneOf'])
    ? 'oneOf'
    : Array.isArray(schema['anyOf'])
      ? 'anyOf'
      : undefined;
  if (kind === undefined) return rest;

  const property = discriminator['propertyName'];
  const { mapping } = discriminator;
  const branches = (schema[kind] as readonly Json[]).map((branch) => tagged(branch, property, mapping, at));
  const tags = branches.flatMap((branch) => branch.tags ?? []);
  const isExclusive =
    branches.every(({ tags: own }) => own !== undefined) && new Set(tags).size === tags.length;
  const { [kind]: untagged, ...others } = rest;
  void untagged;
  return {
    ...others,
    ...(isExclusive ? { discriminator: { propertyName: property } } : {}),
    [isExclusive ? 'oneOf' : kind]: branches.map((branch) => branch.schema),
  };
}

/**
 * Expresses the `discriminator` of a schema in the components that extend it by `allOf`: each gets the values
 * of the property that select it, including those of components that extend it in turn.
 */
export function tagHeirs(components: readonly NamedComponent[]): NamedComponent[] {
  const byName = new Map(components.map(({ name, schema }) => [name, schema]));
  const heirs = new Map<string, string[]>();
  for (const { name, schema } of components) {
    for (const base of basesOf(schema)) {
      const known = heirs.get(base);
      if (known === undefined) heirs.set(base, [name]);
      else known.push(name);
    }
  }
  const added = new Map<string, Json[]>();
  for (const { name: base, schema } of components) {
    const discriminator = isObject(schema) ? schema['discriminator'] : undefined;
    if (
      !isObject(schema) ||
      !isObject(discriminator) ||
      schema['oneOf'] !== undefined ||
      schema['anyOf'] !== undefined
    )
      continue;
    const property = discriminator['propertyName'];
    if (typeof property !== 'string') continue;
    const { mapping } = discriminator;
    const members = isObject(schema['properties']) ? schema['properties'] : {};
    const known = Object.hasOwn(members, property)
      ? literals(members[property], (pointer) => byName.get(pointer.slice(COMPONENTS.length)))
      : [];
    const tagsOf = (name: string): readonly string[] => {
      const mapped = mappedTags(mapping, `#${COMPONENTS}${name}`);
      if (mapped.length > 0) return mapped;
      // A name that the property does not allow is not a tag.
      return known.length === 0 || known.includes(name) ? [name] : [];
    };
    for (const heir of descendants(base, heirs)) {
      const own = tagsOf(heir);
      const tags = [heir, ...descendants(heir, heirs)].flatMap(tagsOf);
      if (own.length === 0) continue;
      const tag = { type: 'object', properties: Object.fromEntries([[property, { enum: tags }]]) };
      added.set(heir, [...(added.get(heir) ?? []), tag]);
    }
  }
  return components.map(({ name, schema }) => {
    const tags = added.get(name);
    if (tags === undefined || !isObject(schema)) return { name, schema };
    return { name, schema: { ...schema, allOf: [...(schema['allOf'] as Json[]), ...tags] } };
  });
}

/** The values that a `mapping` gives to a schema. It names the schema by a reference, or by the bare name of a component. */
export function mappedTags(mapping: unknown, reference: string): readonly string[] {
  return Object.entries(isObject(mapping) ? mapping : {})
    .filter(
      ([, target]) =>
        typeof target === 'string' && (target === reference || `#${COMPONENTS}${target}` === reference),
    )
    .map(([tag]) => tag);
}

// --- internal ---

const COMPONENTS = '/components/schemas/';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The components that a schema extends. */
function basesOf(schema: Schema): string[] {
  const { allOf } = isObject(schema) ? schema : {};
  return (Array.isArray(allOf) ? (allOf as Json[]) : []).flatMap((member) => {
    const reference = isObject(member) ? member['$ref'] : undefined;
    return typeof reference === 'string' && reference.startsWith(`#${COMPONENTS}`)
      ? [lastToken(reference)]
      : [];
  });
}

/** All components that extend a component, directly or indirectly. A cycle of them ends at its start. */
function descendants(base: string, heirs: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>(heirs.get(base) ?? []);
  for (const name of found) for (const heir of heirs.get(name) ?? []) found.add(heir);
  found.delete(base);
  return [...found];
}

interface Branch {
  readonly schema: Json;
  /** The values of the property that select this branch; `undefined` if they are unknown. */
  readonly tags: readonly string[] | undefined;
}

function tagged(branch: Json, property: string, mapping: unknown, at: (pointer: string) => unknown): Branch {
  if (!isObject(branch)) return { schema: branch, tags: undefined };
  const reference = branch['$ref'];
  if (typeof reference !== 'string') {
    const own = tagsOf(branch, property, at);
    return { schema: branch, tags: own.length === 0 || !requires(branch, property) ? undefined : own };
  }
  const mapped = mappedTags(mapping, reference);
  const own = mapped.length > 0 ? [] : tagsOf(branch, property, at);
  const tags = mapped.length > 0 ? mapped : own.length > 0 ? own : [lastToken(reference)];
  return {
    schema: {
      type: 'object',
      required: [property],
      properties: Object.fromEntries([[property, { enum: tags }]]),
      allOf: [branch],
    },
    tags,
  };
}

/** The values that a branch itself allows for the property, through references and `allOf`. */
function tagsOf(branch: unknown, property: string, at: (pointer: string) => unknown, depth = 0): string[] {
  if (!isObject(branch) || depth > 20) return [];
  const reference = branch['$ref'];
  if (typeof reference === 'string')
    return tagsOf(at(decodeURI(reference.slice(1))), property, at, depth + 1);
  const properties = branch['properties'];
  const own =
    isObject(properties) && Object.hasOwn(properties, property) ? literals(properties[property], at) : [];
  if (own.length > 0) return own;
  const { allOf } = branch;
  return Array.isArray(allOf)
    ? (allOf.map((member: Json) => tagsOf(member, property, at, depth + 1)).find((tags) => tags.length > 0) ??
        [])
    : [];
}

function literals(schema: unknown, at: (pointer: string) => unknown): string[] {
  if (!isObject(schema)) return [];
  if (typeof schema['const'] === 'string') return [schema['const']];
  if (Array.isArray(schema['enum'])) {
    const values = schema['enum'] as Json[];
    return values.every((value) => typeof value === 'string') ? values : [];
  }
  const reference = schema['$ref'];
  return typeof reference === 'string' ? literals(at(decodeURI(reference.slice(1))), at) : [];
}

function requires(branch: JsonObject, property: string): boolean {
  return Array.isArray(branch['required']) && branch['required'].includes(property);
}

function lastToken(reference: string): string {
  return (reference.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}
