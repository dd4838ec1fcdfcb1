import type { Contract } from '../../contract/model.ts';

/** The path prefixes of a document, before the resource; see `ApiShape`. */
export function pathPrefixes(
  { operations }: Pick<Contract, 'operations'>,
  mountPrefix: string | undefined,
): readonly string[] {
  return mountPrefix === undefined ? operations.map(({ path }) => prefixOf(path)) : [mountPrefix];
}

// --- internal ---

/** `/api/v2` of `/api/v2/jobs/{id}`. */
function prefixOf(path: string): string {
  const parts = path.split('/').slice(1);
  const version = parts.findIndex((part) => /^v\d+$/.test(part));
  const taken = version >= 0 && version < 2 ? parts.slice(0, version + 1) : parts.slice(0, 1);
  const prefix = taken.join('/');
  return prefix === '' || /[{}]/.test(prefix) ? '' : `/${prefix}`;
}
