import type { Operation } from '../model.ts';
import type { ResourcePolicy } from '../policies/resource.ts';
import type { UsualCase, UsualCases } from './usual-case.ts';

/** The cases of a collection that have a usual rule: those of the operations that it has. */
export function resourceCases(
  policy: ResourcePolicy,
  operations: readonly Operation[],
): readonly UsualCases[] {
  const { create, createMany, list, read, replace, patch, delete: remove, restore } = policy.operations;
  const about = (
    id: string | undefined,
    needs: readonly (string | undefined)[],
    one: UsualCase,
  ): readonly UsualCases[] => {
    const operation = operations.find((each) => each.id === id);
    const isThere = operation !== undefined && !needs.includes(undefined);
    return isThere ? [{ about: policy.collection, operation, cases: [one] }] : [];
  };
  const named = read ?? replace ?? patch ?? remove;
  const maker = create ?? (policy.upsert === true ? replace : undefined);
  return [
    ...about(create, [read], {
      name: 'created',
      says: 'A created resource has its own id, a read returns it as it was sent, and Location leads to it.',
    }),
    ...(read === undefined
      ? about(create, [], {
          name: 'created',
          says: 'A created resource has its own id, and the answer shows it as it was sent.',
        })
      : []),
    ...about(createMany, [read], {
      name: 'many',
      says: 'Each resource of a list that is created has its own id, and a read returns it as it was sent, in the order of the list.',
    }),
    ...(policy.many?.status === undefined && policy.many?.whole === undefined
      ? []
      : about(createMany, [read, create], {
          name: 'many-refused',
          says:
            policy.many.whole === true
              ? 'A list with one invalid resource is refused, and creates none.'
              : 'An invalid resource of a list is refused by itself, and the others are created.',
        })),
    ...about(list, [maker], {
      name: 'listed',
      says: 'The list contains what was created, as it was last sent, and nothing of another parent.',
    }),
    ...(policy.filters === undefined
      ? []
      : about(list, [maker], {
          name: 'filtered',
          says: 'A list with a filter contains what matches it, and nothing else, on each of its pages.',
        })),
    ...(policy.sort === undefined
      ? []
      : about(list, [maker], {
          name: 'sorted',
          says: 'A list is in the order that its parameter names, over all of its pages.',
        })),
    ...about(named, [maker], {
      name: 'missing',
      says: 'An unknown id is refused, also by the calls below it, and a resource is not found through another parent.',
    }),
    ...about(replace, [maker, read], {
      name: 'replaced',
      says: 'After a replacement, a read returns the sent members, without those that were left out.',
    }),
    ...about(patch, [maker, read], {
      name: 'patched',
      says: 'After a patch, the resource has the new values, keeps the others, and has no member that was set to null.',
    }),
    ...about(remove, [maker], {
      name: 'deleted',
      says: `After a deletion, no call finds the resource, and the list does not contain it${policy.idempotentDelete === true ? '; a second deletion succeeds' : ''}.`,
    }),
    ...about(restore, [maker, read, remove], {
      name: 'restored',
      says: 'After a deletion is taken back, a read returns the resource as it was, and the list contains it.',
    }),
    ...about(replace ?? patch ?? remove, [maker, read], {
      name: 'apart',
      says: 'A change of one resource changes no other resource, and a refused change changes nothing.',
    }),
    ...(policy.otherCaller === undefined
      ? []
      : about(named, [maker], {
          name: 'owned',
          says: 'A resource belongs to the caller that created it: no other caller finds it, changes it or sees it in a list.',
        })),
    ...(policy.id.form === 'caller'
      ? about(create, [], { name: 'taken', says: 'An id that is already in use is refused.' })
      : []),
    ...(policy.upsert === true
      ? about(replace, [read], {
          name: 'upsert',
          says: 'A replacement creates a resource that does not exist.',
        })
      : []),
  ];
}
