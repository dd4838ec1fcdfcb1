import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { EVERYWHERE, isOwnHost, type OwnHosts } from '../mock/own-hosts.ts';
import { authorityOf } from './base-path.ts';
import { valuesOf } from './end-to-end-headers.ts';
import { endGently, isEnding } from './gentle-close.ts';
import { loopError, type LoopMark } from './loops.ts';
import { ownAnswer, type OwnAnswer } from './own-answer.ts';
import type { ForwardRequest } from './pass-through.ts';

/**
 * Passes on the requests of programs on this machine, and refuses the others: those for a host that is not this proxy, those
 * of a page from elsewhere, and those that have passed this proxy before. A proxy may have a client certificate and be in a
 * network that such pages cannot reach.
 */
export function guarded(pass: ForwardRequest, own: OwnHosts, mark: LoopMark): ForwardRequest {
  return (request, response, protocol) => {
    if (isEnding(request.socket)) return;
    const refusal = mark.isOn(request.rawHeaders) ? loopOf(request) : strangerIn(request, own);
    if (refusal === undefined) {
      pass(request, response, protocol);
      return;
    }
    const { headers, body } = ownAnswer({ what: 'the request was not passed on', ...refusal });
    response.shouldKeepAlive = false;
    if (!request.complete) endGently(request.socket);
    response.writeHead(refusal.status, headers);
    response.end(body);
    request.resume();
  };
}

// --- internal ---

interface Refusal extends Omit<OwnAnswer, 'what'> {
  readonly status: number;
}

function loopOf({ rawHeaders }: IncomingMessage): Refusal {
  return {
    status: 502,
    reason: 'it has passed this proxy before: the server is this proxy itself, or leads back to it',
    help: 'start the proxy with the address of the server',
    error: loopError(rawHeaders),
  };
}

function strangerIn({ rawHeaders, url = '/' }: IncomingMessage, own: OwnHosts): Refusal | undefined {
  const named = [authorityOf(url) ?? [], valuesOf(rawHeaders, 'host')].flat().filter((host) => host !== '');
  const foreign = named.find((host) => !isOwnHost(host, own) && !isAddressOf(host, own));
  if (foreign !== undefined)
    return denied(
      `it is for the host ${JSON.stringify(foreign)}`,
      'call the proxy by the address that it prints, or start it with --allow-host and the name by which it is called',
    );
  const page = valuesOf(rawHeaders, 'origin').find((origin) => {
    const host = authorityOf(origin);
    return host === undefined || !(named.includes(host) || isOwnHost(host, own));
  });
  if (page === undefined) return undefined;
  return denied(
    `it comes from a page of ${JSON.stringify(page)}`,
    'open the page from this machine, or start the proxy with --allow-host and the host name of the page',
  );
}

/**
 * Whether it is an address, and the proxy listens on all. A page that was opened at an address has come from there: only a
 * name can be bound again.
 */
function isAddressOf(named: string, { host }: OwnHosts): boolean {
  return EVERYWHERE[host] !== undefined && isIP(named.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function denied(reason: string, help: string): Refusal {
  return { status: 403, reason, help, error: 'http_request_denied' };
}
