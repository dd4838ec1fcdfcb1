import type { Operation } from '../model.ts';
import type { ResourcePolicy } from '../policies/resource.ts';
import type { UsualCases } from './usual-case.ts';

/** The cases of a collection that have a usual rule: those of the operations that it has. */
export function resourceCases(
  policy: ResourcePolicy,
  operations: readonly Operation[],
): readonly UsualCases[] {
  const { create, createMany, list, read, replace, patch, delete: remove, restore } = policy.operations;
  const about = (
    id: string | undefined,
    needs: readonly (string | undefined)[],
    one: string,
  ): readonly UsualCases[] => {
    const operation = operations.find((each) => each.id === id);
    const isThere = operation !== undefined && !needs.includes(undefined);
    return isThere ? [{ about: policy.collection, operation, cases: [one] }] : [];
  };
  const named = read ?? replace ?? patch ?? remove;
  const maker = create ?? (policy.upsert === true ? replace : undefined);
  return [
    ...about(create, [], 'created'),
    ...about(createMany, [read], 'many'),
    ...(policy.many?.status === undefined && policy.many?.whole === undefined
      ? []
      : about(createMany, [read, create], 'many-refused')),
    ...about(list, [maker], 'listed'),
    ...(policy.filters === undefined ? [] : about(list, [maker], 'filtered')),
    ...(policy.sort === undefined ? [] : about(list, [maker], 'sorted')),
    ...about(named, [maker], 'missing'),
    ...about(replace, [maker, read], 'replaced'),
    ...about(patch, [maker, read], 'patched'),
    ...about(remove, [maker], 'deleted'),
    ...about(restore, [maker, read, remove], 'restored'),
    ...about(replace ?? patch ?? remove, [maker, read], 'apart'),
    ...(policy.otherCaller === undefined ? [] : about(named, [maker], 'owned')),
    ...(policy.id.form === 'caller' ? about(create, [], 'taken') : []),
    ...(policy.upsert === true ? about(replace, [read], 'upsert') : []),
  ];
}
