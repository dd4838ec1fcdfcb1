import type { Contract } from '../model.ts';
import type { PolicyOf } from './find-policy.ts';

/** All resources of a sheet, in its order. */
export function resourcesOf({ sheet }: Pick<Contract, 'sheet'>): readonly PolicyOf<'resource'>[] {
  return (sheet?.policies ?? []).filter((policy) => policy.kind === 'resource');
}
