import type { AssumeJobs } from './assumptions.ts';
import type { AssetOption } from './options.ts';
import { isRecord } from '../../../contract/index.ts';
import { WatchedMap } from '../../state/watched-map.ts';

/** How an asset relates to a caller. */
export type Standing = 'own' | 'foreign' | 'unknown';

/** Assets that graphs may refer to, by their ids. The owner is the scope of a caller; everybody where there is none. */
export class Assets extends WatchedMap<AssetOption> {
  constructor(assets: readonly AssetOption[]) {
    super();
    for (const asset of assets) this.set(asset.id, asset);
  }

  standing(id: string, scope: string): Standing {
    const asset = this.get(id);
    if (asset === undefined) return 'unknown';
    return asset.owner === undefined || asset.owner === scope ? 'own' : 'foreign';
  }
}

/** One asset that everybody may use, and one of an account for which there is no key. */
export const knownAssets = { own: 'asset-lighthouse', foreign: 'asset-of-somebody-else' } as const;

export const defaultAssets: readonly AssetOption[] = [
  { id: knownAssets.own },
  { id: knownAssets.foreign, owner: 'somebody else' },
];

/** The assets that a graph refers to, however deep; `undefined` stands for a reference that names none. */
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
