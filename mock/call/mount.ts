import type { FrontRequest } from './front.ts';

/**
 * A request as it looks below the path under which an API is mounted; `undefined` for one that is not below it. Nothing
 * is decoded: the prefix counts as it was sent.
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
