import type { Json, Schema } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';
import { schemasIn } from './members.ts';

/** The values that a branch itself allows for a member. */
export function tagsOf(branch: Schema, property: string): readonly string[] {
  const member = isObject(branch) ? schemasIn(branch['properties']).get(property) : undefined;
  if (!isObject(member)) return [];
  const values = Array.isArray(member['enum']) ? (member['enum'] as Json[]) : [member['const']];
  return values.every((value) => typeof value === 'string') ? values : [];
}

/** A branch with only its tag and another schema is replaced by that schema if the tag is already known. */
export function withoutTag(branch: Schema, property: string): Schema {
  if (!isObject(branch)) return branch;
  const { type, required, properties, allOf, ...others } = branch;
  const isWrapper =
    type === 'object' &&
    Array.isArray(required) &&
    Array.isArray(allOf) &&
    required.length === 1 &&
    Object.keys(others).length === 0 &&
    [...schemasIn(properties).keys()].join() === property;
  if (!isWrapper) return branch;
  return allOf.length === 1 ? (allOf[0] as Schema) : { allOf };
}
