/**
 * The part of a request's target below the base path of the server. Clients call the proxy without that path. A link of the
 * server contains it, and a client that follows the link sends it along.
 *
 * @param basePath without a slash at its end; empty if the server has none
 * @param isKnown whether an operation has a path; such a path is below the base path, however it begins
 */
export function belowBasePath(
  target: string,
  basePath: string,
  isKnown: (target: string) => boolean,
): string {
  if (basePath === '' || !target.startsWith(`${basePath}/`) || isKnown(target)) return target;
  return target.slice(basePath.length);
}

/** The host of a target or of an `Origin` that has a scheme. */
export function authorityOf(target: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
}
