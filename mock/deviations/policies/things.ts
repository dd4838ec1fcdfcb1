import type { PolicyOf } from '../../../contract/index.ts';
import { namesOfCases } from '../../../contract/sheet/policy-cases.ts';
import type { Contract } from '../../../contract/model.ts';
import { idParameter } from '../../../contract/policies/resource.ts';
import type { Row } from '../../enacted/tables.ts';
import { alongCases, anotherStatus, alongPolicy, withOtherStatus, type Ways } from './broken.ts';
import { altered, laterThan, merged, ownerless, withMembers } from './changed-rows.ts';
import { creationWays } from './creations.ts';
import { waysCausedBy } from '../../../contract/policies/lifecycle.ts';
import { deletionWays } from './deletions.ts';
import { filterWays, sortWays } from './filters.ts';
import { manyWays } from './many-things.ts';
import { at, neighbours, nothing } from './on-things.ts';
import { creationTimes, defaultMembers, maySkip, plainMembers, takesNull } from './thing-members.ts';
import { withPolicy } from './keys.ts';

/**
 * Ways to lose, mix up or keep the things of a collection. Ways that need a missing operation are left out.
 */
export function thingWays(contract: Contract, policy: PolicyOf<'resource'>): Ways {
  const { create, list, read, replace, patch, delete: remove } = policy.operations;
  const plain = plainMembers(contract, policy);
  const isNested = (operation: string | undefined): boolean => hasMadeParent(contract, policy, operation);
  const isOwned = policy.otherCaller !== undefined;
  const seen = new Map<string, readonly Row[]>();
  const firsts = new Map<string, Row['item']>();
  const times = creationTimes(contract, policy);
  const defaults = defaultMembers(contract, policy);
  let count = 0;
  const ways = {
    'created~forgotten': [
      at(read === undefined ? [] : [create], () => ({ put: nothing })),
      alongCases(
        'what is not there is not found',
        ...['listed', 'filtered', 'missing', 'deleted', 'apart', 'replaced', 'patched', 'owned'],
      ),
      alongPolicy('uniqueness', 'what is not kept takes no value', 'taken'),
      alongPolicy('event-stream', 'what is not there has no events', 'first', 'frames', 'states', 'end'),
    ],
    'created~another-value': [
      at(plain.length === 0 ? [] : [create], (things) => ({ put: (row) => things.put(altered(row, plain)) })),
      alongCases(
        'a thing is not as it was sent from the beginning',
        ...['listed', 'filtered', 'missing', 'patched', 'apart', 'replaced', 'owned', 'restored'],
      ),
      alongPolicy('uniqueness', 'another value is kept', 'taken'),
    ],
    'created~at-another-time': [
      at(times.length === 0 ? [] : [read], (things) => ({
        get: (within, id) => {
          count += 1;
          return withMembers(things.get(within, id), times, () => new Date(count * HOUR_MS).toISOString());
        },
      })),
      alongCases('the time of creation is compared after changes, too', 'patched', 'replaced'),
      ...alongVersions,
    ],
    'created~another-default': [
      at(defaults.length === 0 ? [] : [create], (things) => ({
        put: (row) => {
          const wrong = defaults.filter(({ name, value }) => row.item[name] === value);
          const others = wrong.map(({ name, other }) => [name, other] as const);
          things.put({ ...row, item: { ...row.item, ...Object.fromEntries(others) } });
        },
      })),
      alongCases(
        'a value that was sent may be the default',
        ...['listed', 'filtered', 'missing', 'patched', 'apart', 'replaced', 'owned'],
      ),
    ],
    'listed~without-the-last': at([list], (things) => ({
      rows: (within) => things.rows(within).slice(0, -1),
    })),
    'listed~another-value': [
      at(plain.length === 0 ? [] : [list], (things) => ({
        rows: (within) => things.rows(within).map((row) => altered(row, plain)),
      })),
      alongCases('a filter is compared with what the list shows', 'filtered'),
    ],
    'listed~as-it-was-created': [
      at(plain.length === 0 || (patch ?? replace) === undefined ? [] : [list], (things) => ({
        rows: (within) =>
          things.rows(within).map((row) => {
            const place = JSON.stringify([row.within, row.id]);
            const item = firsts.get(place) ?? row.item;
            firsts.set(place, item);
            return { ...row, item };
          }),
      })),
      alongCases('the list is not looked at again', 'filtered'),
    ],
    'listed~of-all-parents': [
      at(isNested(list) ? [list] : [], (things) => ({ rows: () => things.rows() })),
      ...(['pagination', 'numbered-pages'] as const).map((pages) =>
        alongPolicy(pages, 'the list of another course changes', ...(namesOfCases(pages) ?? [])),
      ),
    ],
    'missing~through-another-parent': [
      at(isNested(read) ? [read] : [], (things) => ({
        get: (within, id) => things.get(within, id) ?? things.rows().find((row) => row.id === id),
      })),
      alongPolicy('resource', 'what is below a deleted parent is found', 'deleted'),
    ],
    ...filterWays(contract, policy),
    ...sortWays(contract, policy),
    'listed~kept-for-later': [
      at([list], (things) => ({
        rows: (within) => {
          const place = JSON.stringify(within);
          const first = seen.get(place) ?? things.rows(within);
          seen.set(place, first);
          return first;
        },
      })),
      alongCases('the list is not looked at again', 'deleted', 'filtered', 'restored'),
    ],
    'missing~another-status': [
      { operations: belowThings(contract, policy), onReply: withOtherStatus(policy.missing?.status ?? 404) },
      alongCases('a deleted thing is missing as well', 'deleted'),
      alongPolicy(
        'resource',
        'the parts of a thing, and those of other callers, are missing in the same way',
        'missing',
        'deleted',
        'owned',
      ),
      anotherStatus,
    ],
    'missing~any-thing': [
      at([read], (things) => ({ get: (within, id) => things.get(within, id) ?? things.rows(within)[0] })),
      alongCases('a deleted thing is missing as well', 'deleted'),
      alongPolicy('conditional-write', 'the version of a missing thing is read', 'current'),
    ],
    'replaced~not-kept': [
      at([replace], () => ({ put: nothing })),
      ...unchanged,
      ...(policy.upsert === true ? notCreated : []),
    ],
    'replaced~merged': at(maySkip(contract, policy) ? [replace] : [], (things) => ({
      put: (row) => things.put(merged(things, row)),
    })),
    'patched~not-kept': [at([patch], () => ({ put: nothing })), ...unchanged],
    'patched~null-ignored': at(takesNull(contract, policy) ? [patch] : [], (things) => ({
      put: (row) => things.put(merged(things, row)),
    })),
    ...manyWays(policy, plain),
    ...deletionWays(policy, plain, movedBy(contract, policy)),
    'apart~the-next-one-too': [
      at([replace, patch], (things) => ({
        put: (row) => {
          if (things.get(row.within, row.id) !== undefined)
            for (const other of laterThan(things, row)) things.put(altered(other, plain));
          things.put(row);
        },
      })),
      ...neighbours,
    ],
    'apart~deleted-too': [
      at(replace === undefined && patch === undefined ? [remove] : [], (things) => ({
        delete: (row) => {
          for (const other of laterThan(things, row)) things.delete(other);
          things.delete(row);
        },
      })),
      ...neighbours,
    ],
    'owned~read-by-anybody': [
      at(isOwned ? [read] : [], (things) => ({
        get: (within, id) => ownerless(things.get(within, id)),
      })),
      alongPolicy('conditional-write', 'the version of the resource of another caller is read', 'mismatch'),
    ],
    'owned~changed-by-anybody': at(isOwned ? [replace, patch, remove] : [], (things) => ({
      get: (within, id) => ownerless(things.get(within, id)),
    })),
    'owned~listed-for-anybody': at(isOwned ? [list] : [], (things) => ({
      rows: (within) => things.rows(within).flatMap((row) => ownerless(row) ?? []),
    })),
    'taken~overwritten': at([create], () => ({ get: () => undefined })),
    ...creationWays(contract, policy),
    'upsert~not-kept': [
      at(policy.upsert === true ? [replace] : [], (things) => ({
        put: (row) => {
          if (things.get(row.within, row.id) !== undefined) things.put(row);
        },
      })),
      ...notCreated,
      alongCases('what is not there is not in any order', 'sorted'),
    ],
  } satisfies Ways;
  return Object.fromEntries(
    Object.entries<Ways[keyof Ways]>(ways).filter(([, row]) => {
      const [way] = [row].flat();
      return typeof way !== 'object' || !('operations' in way) || way.operations?.length !== 0;
    }),
  );
}

/** The check for a unique value is skipped. */
export function uniqueWays(operation: string): Ways {
  return { 'taken~again': withPolicy(operation, ({ unique: _, ...served }) => served) };
}

/** A reserved member is ignored. */
export function reservedWays(operation: string): Ways {
  return { 'refused~taken': withPolicy(operation, ({ reserved: _, ...served }) => served) };
}

// --- internal ---

const HOUR_MS = 3_600_000;

/** A version is made of all members of a thing. */
const alongVersions = [
  alongPolicy('conditional-get', 'the version changes as well', 'current', 'weak', 'list', 'kept-headers'),
  alongPolicy(
    'conditional-write',
    'the version changes as well',
    ...['current', 'list', 'changed', 'mismatch', 'weak', 'required', 'exists'],
  ),
] as const;

const unchanged = [
  alongPolicy('conditional-write', 'nothing changes', 'changed'),
  alongCases('the list shows nothing new', 'listed'),
] as const;

/** What a replacement does not create is nowhere. */
const notCreated = [
  alongCases(
    'what is not there is not found',
    ...[
      'listed',
      'filtered',
      'missing',
      'replaced',
      'patched',
      'deleted',
      'restored',
      'apart',
      'owned',
      'upsert',
    ],
  ),
  alongPolicy('conditional-get', 'what is not there has no tag', 'current', 'weak', 'list', 'kept-headers'),
  alongPolicy(
    'conditional-write',
    'what is not there has no version',
    ...['current', 'list', 'any', 'changed', 'mismatch', 'weak', 'required', 'exists'],
  ),
] as const;

/** The path of a thing; `undefined` if no operation has one. */
function thingPath(
  { operations }: Contract,
  { operations: { read, replace, patch, delete: remove } }: PolicyOf<'resource'>,
): string | undefined {
  return operations.find(({ id }) => id === (read ?? replace ?? patch ?? remove))?.path;
}

/** The operations that need a thing of a collection: those of the thing itself, and those below it. */
function belowThings(contract: Contract, policy: PolicyOf<'resource'>): readonly string[] {
  const path = thingPath(contract, policy);
  return contract.operations
    .filter((one) => path !== undefined && (one.path === path || /^[/:]/.test(restOf(one.path, path))))
    .map(({ id }) => id);
}

function restOf(path: string, above: string): string {
  return path.startsWith(above) ? path.slice(above.length) : '';
}

/** Whether the path of an operation is below things of another collection, which requests create. */
function hasMadeParent(
  contract: Contract,
  policy: PolicyOf<'resource'>,
  operation: string | undefined,
): boolean {
  const path = contract.operations.find(({ id }) => id === operation)?.path ?? '';
  return (contract.sheet?.policies ?? []).some((other) => {
    if (other.kind !== 'resource' || other === policy) return false;
    if (other.operations.create === undefined && other.upsert !== true) return false;
    const above = thingPath(contract, other);
    const name = idParameter(other);
    const isNamed = name !== idParameter(policy) && path.includes(`{${name}}`);
    return isNamed || (above !== undefined && path.startsWith(`${above}/`));
  });
}

/** The lifecycle whose calls lead things of a collection from the first state to one in which they stay. */
function movedBy(
  { operations, sheet }: Contract,
  { operations: { read: id } }: PolicyOf<'resource'>,
): PolicyOf<'lifecycle'> | undefined {
  const read = operations.find((one) => one.id === id);
  const below = operations.filter(
    ({ method, path }) => read !== undefined && method === 'post' && path.startsWith(`${read.path}/`),
  );
  return (sheet?.policies ?? [])
    .filter((one) => one.kind === 'lifecycle')
    .find((policy) => {
      const called = new Set(below.flatMap((call) => waysCausedBy(policy, call)));
      const stays = (state: string): boolean =>
        policy.transitions.every((way) => way.from !== state || called.has(way));
      return (
        stays(policy.initial) && [...called].some(({ from, to }) => from === policy.initial && stays(to))
      );
    });
}
