import { basePathOf, baseUrlOf } from '../../base-url.ts';
import type { LinkForm } from './assumptions.ts';

/** The prefixes of the links in one answer. */
export interface LinkBase {
  readonly form: LinkForm;
  /** Scheme and authority that the client used. */
  readonly origin: string;
  /** The path before all routes of the jobs, as the client sees it. */
  readonly pathPrefix: string;
}

/**
 * The links of a job (document 3, "Job", rules for urls; open point A-76). With the form `mixed` every second one is
 * absolute.
 *
 * @param operations the name of each link by the operation that it leads to
 * @param pathOf the path of an operation in the document
 */
export function linksOf(
  jobId: string,
  operations: Readonly<Record<string, string>>,
  { form, origin, pathPrefix }: LinkBase,
  pathOf: (operationId: string) => string,
): Record<string, string> {
  const links = Object.entries(operations).map(([operation, member], index): [string, string] => {
    const path = pathPrefix + pathOf(operation).replace(/\{[^{}]+\}/, jobId);
    const isAbsolute = form === 'absolute' || (form === 'mixed' && index % 2 === 0);
    return [member, isAbsolute ? origin + path : path];
  });
  return Object.fromEntries(links);
}

/** The prefix of links in the answer to a request. If the request's host is unusable, no link is absolute. */
export function linkBase(
  request: Parameters<typeof baseUrlOf>[0],
  wanted: { readonly form: LinkForm; readonly mountPrefix: string; readonly publicUrl: string | undefined },
): LinkBase {
  const { form, mountPrefix, publicUrl } = wanted;
  const baseUrl = baseUrlOf(request, publicUrl);
  if (baseUrl === undefined) return { form: 'host-relative', origin: '', pathPrefix: mountPrefix };
  const url = new URL(baseUrl);
  return { form, origin: url.origin, pathPrefix: basePathOf(url) + mountPrefix };
}
