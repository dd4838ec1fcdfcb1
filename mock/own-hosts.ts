/** The host of a port of this machine, and the names that it also has. */
export interface OwnHosts {
  /** The address that the port listens on. */
  readonly host: string;
  /** In lower case. */
  readonly names?: ReadonlySet<string>;
}

/**
 * Whether a host that a request names is this machine's port. A page can make a browser send requests to any port by a name
 * of its own (DNS rebinding), but it cannot change what such a request says about its host.
 *
 * @param named a host with or without a port, as in `Host`
 */
export function isOwnHost(named: string, { host, names }: OwnHosts): boolean {
  const name = named.replace(/:\d+$/, '').toLowerCase();
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(name) || bare === host.toLowerCase() || names?.has(bare) === true;
}

export function isLoopback(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host) || /^[a-z0-9.-]+\.localhost$/.test(host);
}

/** Hosts that mean all addresses, with one to connect to: browsers and some systems cannot connect to the others. */
export const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
