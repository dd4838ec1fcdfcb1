import { isIPv6 } from 'node:net';
import { CommandFailure } from '../failure.ts';

/**
 * The proxy for an address. `--proxy` applies to every address. Otherwise, `HTTPS_PROXY` or `HTTP_PROXY` applies, by
 * the protocol of the address, unless `NO_PROXY` names the address or it is on this machine. Variables in lower case
 * take precedence.
 *
 * @param given the proxy of the command line; `false` for none at all
 * @throws {CommandFailure} from the function that is returned, for a variable that is not the address of a proxy
 */
export function proxiesOf(
  given: URL | false | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): (baseUrl: URL) => URL | undefined {
  if (given === false) return () => undefined;
  if (given !== undefined) return () => given;
  const variable = (name: string): readonly [string, string] | undefined =>
    [name, name.toUpperCase()].flatMap((each): [string, string][] => {
      const text = environment[each]?.trim() ?? '';
      return text === '' ? [] : [[each, text]];
    })[0];
  return (baseUrl) => {
    const found = variable(`${baseUrl.protocol.slice(0, -1)}_proxy`);
    if (found === undefined || isLoopback(baseUrl)) return undefined;
    if (isExcepted(baseUrl, variable('no_proxy')?.[1] ?? '')) return undefined;
    const [name, text] = found;
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    const proxy = URL.canParse(address) ? new URL(address) : undefined;
    if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
    // Without the text, which may contain a password.
    throw new CommandFailure(2, `$${name} is not the address of an HTTP proxy`, [
      'expected one such as http://proxy.example.com:3128',
      'to connect directly, add --no-proxy',
    ]);
  };
}

// --- internal ---

/** A variable applies only to other machines, because a remote proxy could not reach this one. */
function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Entries are `*`, or a host with its subdomains, with or without a leading `.` or `*.`, and perhaps a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = hostOf(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      // In an IPv6 address, the port follows the brackets.
      const [, wanted] = (/\][^\]]*$/.exec(entry)?.[0] ?? (isIPv6(entry) ? '' : entry)).split(':');
      if (wanted !== undefined && wanted !== port) return false;
      const name = entry
        .slice(0, entry.length - (wanted === undefined ? 0 : wanted.length + 1))
        .replace(/^\[|\]$/g, '')
        .replace(/^\*?\./, '')
        .replace(/\.$/, '');
      return name !== '' && (host === name || host.endsWith(`.${name}`));
    });
}

function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
