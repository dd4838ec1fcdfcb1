import type { FrontRequest } from '../front.ts';
import type { LinkForm } from './assumptions.ts';

/** Where links of one answer begin: the scheme and authority that the client used, and the form that was asked for. */
export interface LinkBase {
  readonly form: LinkForm;
  readonly origin: string;
  readonly mountPrefix: string;
}

/**
 * The links of a job (document 3, "Rules for urls"; silent-points A-76). With the form `mixed` every second one is
 * absolute.
 *
 * @param operations the name of each link by the operation that it leads to
 * @param pathOf the path of an operation in the document
 */
export function linksOf(
  jobId: string,
  operations: Readonly<Record<string, string>>,
  { form, origin, mountPrefix }: LinkBase,
  pathOf: (operationId: string) => string,
): Record<string, string> {
  const links = Object.entries(operations).map(([operation, member], index): [string, string] => {
    const path = mountPrefix + pathOf(operation).replace(/\{[^}]+\}/, jobId);
    const isAbsolute = form === 'absolute' || (form === 'mixed' && index % 2 === 0);
    return [member, isAbsolute ? origin + path : path];
  });
  return Object.fromEntries(links);
}

/** The base for the links in the answer to a request. A host that is none gets no absolute links. */
export function linkBase(
  request: Pick<FrontRequest, 'header'>,
  wanted: { readonly form: LinkForm; readonly mountPrefix: string; readonly publicUrl: string | undefined },
): LinkBase {
  const { form, mountPrefix, publicUrl } = wanted;
  const host = request.header('host') ?? '';
  const origin = publicUrl === undefined ? `http://${host}` : new URL(publicUrl).origin;
  const isUsable = publicUrl !== undefined || /^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
  return { form: isUsable ? form : 'host-relative', origin, mountPrefix };
}
