import type { Call } from '../wire.ts';
import { viewOf, type Flag } from './flag.ts';
import { byPlace, type Order, type Place, type Row } from './pages.ts';

/** The flags that a call lists, and their order. */
export function flagsOf(
  call: Call,
  scope: string,
  flags: Iterable<Flag>,
  has: (fault: string) => boolean,
): readonly [readonly Row[], Order] {
  const { type, state, sort = 'key', cursor } = call.query;
  const member = sort.replace('-', '') as 'key' | 'name' | 'rollout';
  const turns = has('descending-turns') && cursor !== undefined && member !== 'key';
  const compare = byPlace(sort.startsWith('-') && !turns);
  const placeOf = (flag: Flag): Place => {
    if (member === 'key') return [flag.key, ''];
    const value = flag.settings[member];
    const isText = member === 'rollout' && has('rollout-sorted-as-text');
    return [isText ? String(value) : value, flag.key];
  };
  const rows = [...flags]
    .filter((flag) => type === undefined || flag.settings.type === type)
    .filter((flag) => {
      if (has('filters-not-together') && type !== undefined) return true;
      return state === undefined || (flag.archivedAt === undefined ? 'active' : 'archived') === state;
    })
    .map((flag) => ({ item: viewOf(flag), place: placeOf(flag) }));
  const byValue = (a: Place, b: Place): number => compare([a[0], ''], [b[0], '']);
  const losesEqual = has('equal-rollouts-lost') && member === 'rollout';
  return [
    rows,
    {
      compare: losesEqual ? byValue : compare,
      bound: `flags ${scope} ${type ?? ''} ${state ?? ''} ${sort}`,
    },
  ];
}
