import { checkedBase } from './connection.ts';
import type { ConnectionOptions } from './connection.ts';
import type { AddressFinder, ServerAddress } from './operation.ts';

/** Options of a client whose document names servers. */
export type ServedOptions<Scheme extends string, Variables = unknown> = Omit<
  ConnectionOptions<Scheme>,
  'baseUrl' | 'variables'
> & {
  /** Replaces the address in the document. */
  readonly baseUrl?: string | undefined;
  readonly variables?: Variables | undefined;
};

/** @throws {TypeError} when the value of a variable is not valid in an address */
export function withServer<Scheme extends string>(
  server: ServerAddress,
  options: ServedOptions<Scheme>,
): ConnectionOptions<Scheme> {
  const variables = options.variables as ConnectionOptions['variables'];
  return { ...options, variables, baseUrl: options.baseUrl ?? filled(server, variables) };
}

/**
 * The address of an operation with its own server: that of the document, or its replacement in the
 * connection.
 */
export const ownAddress: AddressFinder = (server, { baseUrl, servers = {}, variables }) => {
  const replaced = Object.hasOwn(servers, server.url) ? servers[server.url] : undefined;
  const address = checkedBase(replaced ?? filled(server, variables), 'a server');
  const [origin = ''] = /^https?:\/\/[^/]+/i.exec(baseUrl) ?? [];
  return /^https?:/i.test(address) ? address : origin + address;
};

// --- internal ---

function filled(
  { url, variables: usual = {} }: ServerAddress,
  variables: ConnectionOptions['variables'] = {},
): string {
  const values = { ...usual, ...withoutGaps(variables) };
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    String(Object.hasOwn(values, name) ? values[name] : ''),
  );
}

function withoutGaps(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
