/** Links that a resource carries, to be followed and never built (document 3, "Job", rules for urls). */
export interface LinksPolicy {
  readonly kind: 'links';
  /** The schema and the property that holds the links. */
  readonly schema: string;
  readonly property: string;
  /** Which link leads to which operation. Where the contract leaves the names open, a link of another name is no fault. */
  readonly members?: Readonly<Record<string, string>>;
}

/**
 * The complete address of a link: one that is absolute as it is, one that begins with a single slash after the origin
 * of the request whose answer carried it. Never after a base address: such a link already has any mount prefix.
 * `undefined` for every other text, `//host/path` and other schemes than http and https included.
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
