import type { AssumeJobs } from './assumptions.ts';
import type { AssetOption } from './options.ts';
import { isRecord } from '../../../contract/index.ts';
import { WatchedMap } from '../../state/watched-map.ts';

/** The relation between an asset and a caller. */
export type AssetOwnership = 'own' | 'foreign' | 'unknown';

/**
 * The assets that graphs may refer to, by id. The owner is the scope of a caller; without an owner, every
 * caller may use it.
 */
export class Assets extends WatchedMap<AssetOption> {
  constructor(assets: readonly AssetOption[]) {
    super();
    for (const asset of assets) this.set(asset.id, asset);
  }

  standing(id: string, scope: string): AssetOwnership {
    const asset = this.get(id);
    if (asset === undefined) return 'unknown';
    return asset.owner === undefined || asset.owner === scope ? 'own' : 'foreign';
  }
}

/** One public asset, and one of an account for which there is no key. */
export const knownAssets = { own: 'asset-lighthouse', foreign: 'asset-of-somebody-else' } as const;

export const defaultAssets: readonly AssetOption[] = [
  { id: knownAssets.own },
  { id: knownAssets.foreign, owner: 'somebody else' },
];

/** The assets that a graph refers to, at any depth; `undefined` for a reference without an id. */
export function assetReferences(graph: unknown, assume: AssumeJobs): readonly (string | undefined)[] {
  const { typeMember, type, infoMember, infoMembers } = assume('A-68');
  const [idMember = ''] = infoMembers;
  const found: (string | undefined)[] = [];
  // An explicit stack, because a graph can be nested more deeply than the call stack allows.
  const left: unknown[] = [graph];
  while (left.length > 0) {
    const value = left.pop();
    if (Array.isArray(value)) for (const item of value as readonly unknown[]) left.push(item);
    else if (isRecord(value)) {
      if (value[typeMember] !== type) {
        for (const member of Object.values(value)) left.push(member);
        continue;
      }
      const info = value[infoMember];
      const id = isRecord(info) ? info[idMember] : undefined;
      found.push(typeof id === 'string' && id !== '' ? id : undefined);
    }
  }
  return found;
}
