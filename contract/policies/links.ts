/** Links in a resource. Clients follow them and never build them (document 3, "Job", rules for urls). */
export interface LinksPolicy {
  readonly kind: 'links';
  /** The schema and the property that contain the links. */
  readonly schema: string;
  readonly property: string;
  /**
   * The operation that each link leads to. If the contract leaves the names open, a link with another name is
   * allowed.
   */
  readonly members?: Readonly<Record<string, string>>;
}

/**
 * The absolute address of a link: an absolute link as it is, a link that begins with a single slash relative
 * to the origin of the request whose answer contained it. Never relative to a base address, because the link
 * already contains any mount prefix. `undefined` for any other text, including `//host/path` and schemes
 * other than http and https.
 *
 * @param requestUrl the absolute address of that request
 */
export function resolveLink(link: unknown, requestUrl: string): string | undefined {
  if (typeof link !== 'string' || !/^(?:https?:\/\/[^/\\]|\/(?![/\\]))[^\s\\]*$/i.test(link))
    return undefined;
  try {
    const url = new URL(link, new URL(requestUrl).origin);
    return url.username === '' && url.password === '' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
