import type { Json, JsonObject } from '../../contract/index.ts';
import { isObject } from './read-schema.ts';

/**
 * Writes what `discriminator` says into the branches of `oneOf` and `anyOf`: each branch requires its tag. The tag is
 * that of `mapping`; else what the branch says itself about the property; else, as OpenAPI has it, the name of the
 * branch. Branches keep their references, so the result means the same to readers that do not know the keyword.
 *
 * Where every branch has tags and no two share one, the keyword itself is kept, without `mapping`.
 *
 * @param at the value at a pointer of the document
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
  const mapping = isObject(discriminator['mapping']) ? discriminator['mapping'] : {};
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

// --- internal ---

interface Branch {
  readonly schema: Json;
  /** The values of the property that lead to this branch; `undefined` where they cannot be told. */
  readonly tags: readonly string[] | undefined;
}

function tagged(
  branch: Json,
  property: string,
  mapping: JsonObject,
  at: (pointer: string) => unknown,
): Branch {
  if (!isObject(branch)) return { schema: branch, tags: undefined };
  const reference = branch['$ref'];
  if (typeof reference !== 'string') {
    const own = tagsOf(branch, property, at);
    return { schema: branch, tags: own.length === 0 || !requires(branch, property) ? undefined : own };
  }
  const mapped = Object.entries(mapping)
    .filter(([, target]) => typeof target === 'string' && isSameTarget(target, reference))
    .map(([tag]) => tag);
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

/** A mapping names its target by reference or by the bare name of a component. */
function isSameTarget(target: string, reference: string): boolean {
  return target === reference || `#/components/schemas/${target}` === reference;
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
