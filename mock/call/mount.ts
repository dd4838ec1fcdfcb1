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

/** The paths of the servers of a document and its operations, without a trailing slash; variables have their defaults. */
export function basePathsOf({
  servers,
  operations,
}: Pick<Contract, 'servers' | 'operations'>): readonly string[] {
  const all = [...servers, ...operations.flatMap((operation) => operation.servers)];
  const paths = all.flatMap((server) => {
    const usual = new Map(server.variables.map((variable) => [variable.name, variable.default]));
    const url = server.url.replace(/\{([^{}]+)\}/g, (_all, name: string) => usual.get(name) ?? '');
    const base = 'http://server.invalid/';
    return URL.canParse(url, base) ? [new URL(url, base).pathname.replace(/\/$/, '')] : [];
  });
  return [...new Set(paths)].filter((path) => path !== '');
}
