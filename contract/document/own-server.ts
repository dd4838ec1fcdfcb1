import type { Contract, Operation, ServerObject } from '../model.ts';

/** The server of an operation that the document does not name for all. */
export interface OwnServer {
  /** With the default values of its variables. */
  readonly url: string;
  /** Its host and port; `undefined` if it is the host of the document's servers. */
  readonly host: string | undefined;
  /** The path of the document's first server and that of this one, without a slash at their ends. */
  readonly paths: readonly [document: string, own: string];
}

/**
 * The own server of an operation, if possible one at a host of the document; `undefined` if it has none (OpenAPI 3.1,
 * "Operation Object": `servers`). In a document without servers, those of its first operation count as its own.
 */
export function ownServerOf(
  { servers, operations }: Pick<Contract, 'servers' | 'operations'>,
  operation: Pick<Operation, 'servers'>,
): OwnServer | undefined {
  if (operation.servers.length === 0) return undefined;
  const first = operations.find((each) => each.servers.length > 0)?.servers ?? [];
  const all = (servers.length > 0 ? servers : first).map(addressOf);
  const addresses = operation.servers.map(addressOf);
  const own = addresses.find(({ host }) => all.some((each) => each.host === host)) ?? addresses[0];
  if (own === undefined) return undefined;
  const isElsewhere = own.host !== '' && all.every(({ host }) => host !== own.host);
  const paths = [all[0]?.path ?? '', own.path] as const;
  return { url: own.url, host: isElsewhere ? own.host : undefined, paths };
}

// --- internal ---

interface Address {
  readonly url: string;
  /** Empty for an address that is relative to that of the document. */
  readonly host: string;
  readonly path: string;
}

function addressOf({ url, variables }: ServerObject): Address {
  const filled = variables.reduce(
    (text, { name, default: value }) => text.replaceAll(`{${name}}`, value),
    url,
  );
  if (!URL.canParse(filled))
    return { url: filled, host: '', path: withoutSlash(filled.split(/[?#]/, 1)[0] ?? '') };
  const { host, pathname } = new URL(filled);
  return { url: filled, host, path: withoutSlash(pathname) };
}

function withoutSlash(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}
