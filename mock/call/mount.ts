import { isRecord } from '../../contract/index.ts';
import type { Contract } from '../../contract/model.ts';
import type { FrontRequest } from './front.ts';

/**
 * A request relative to the path at which an API is mounted; `undefined` for one that is not below it.
 * Nothing is decoded: the prefix is compared as sent.
 */
export function belowMount(request: FrontRequest, mountPrefix: string | undefined): FrontRequest | undefined {
  if (mountPrefix === undefined) return request;
  if (!request.path.startsWith(`${mountPrefix}/`)) return undefined;
  return {
    ...request,
    path: request.path.slice(mountPrefix.length),
    segments: request.segments.slice(mountPrefix.split('/').length - 1),
  };
}

/** The paths of a document's servers, without a trailing slash; variables have their defaults. */
export function basePathsOf({ document }: Pick<Contract, 'document'>): readonly string[] {
  const { servers } = document.root;
  const paths = (Array.isArray(servers) ? servers : []).flatMap((server) => {
    if (!isRecord(server) || typeof server['url'] !== 'string') return [];
    const { variables } = server;
    const url = server['url'].replace(/\{([^{}]+)\}/g, (_all, name: string) => {
      const variable = isRecord(variables) ? variables[name] : undefined;
      return isRecord(variable) ? String(variable['default']) : '';
    });
    const base = 'http://server.invalid/';
    return URL.canParse(url, base) ? [new URL(url, base).pathname.replace(/\/$/, '')] : [];
  });
  return [...new Set(paths)].filter((path) => path !== '');
}
