import { randomUUID } from 'node:crypto';
import { valuesOf, type Header, type RawHeaders } from './end-to-end-headers.ts';

/**
 * The mark of one proxy on the requests that it passes on (RFC 8586), by which it notices those that come back. `Via` would
 * be another place for it, but some servers do not compress answers to a request that has one.
 */
export class LoopMark {
  readonly #id = randomUUID();

  /** For each request that is passed on. */
  get header(): Header {
    return [CDN_LOOP, `tallystick; proxy=${this.#id}`];
  }

  /** Whether this proxy has passed on the request before. */
  isOn(request: RawHeaders): boolean {
    return valuesOf(request, 'cdn-loop').some((value) => value.includes(this.#id));
  }

  /** Whether an answer says of a request of this proxy that it has come back to a proxy that it had passed. */
  isNoticedIn(answer: RawHeaders): boolean {
    return valuesOf(answer, 'proxy-status').some(
      (value) => value.startsWith(`tallystick; error=${LOOP}`) && value.includes(this.#id),
    );
  }
}

/** The error of RFC 9209 with the proxies that the request has passed, so that each of them knows of the loop. */
export function loopError(request: RawHeaders): string {
  const ids = valuesOf(request, 'cdn-loop').flatMap((value) => value.match(PROXY_ID) ?? []);
  return `${LOOP}; details="${ids.join(' ')}"`;
}

// --- internal ---

const CDN_LOOP = 'CDN-Loop';
const LOOP = 'proxy_loop_detected';
const PROXY_ID = /(?<=proxy=)[\da-f-]{36}/g;
