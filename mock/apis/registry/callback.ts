import type { WebhookOptions } from './options.ts';

/** Makes one callback and resolves with a sentence about its result, for the journal. Never rejects. */
export type CallbackSender = (url: URL, body: unknown, timeoutMs: number) => Promise<string>;

/** One POST; redirects are not followed, and the answer is not read. */
export const sendCallback: CallbackSender = async (url, body, timeoutMs) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    const isRedirect = response.status >= 300 && response.status < 400;
    return `answered ${String(response.status)}${isRedirect ? ', which was not followed' : ''}`;
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    return isLate ? `no answer within ${String(timeoutMs)} ms` : 'could not be reached';
  }
};

/** A valid callback address; `undefined` if the text is not an address. */
export function callbackAddress(text: string): URL | undefined {
  if (!URL.canParse(text) || /\s/.test(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/** Why the options do not allow a callback to this address; `undefined` if they do. */
export function callbackObstacle(
  url: URL,
  options: WebhookOptions | undefined,
): 'yes' | 'switched off' | 'not a host to call' {
  if (options?.deliver !== true) return 'switched off';
  const { hosts } = options;
  if (hosts === 'any') return 'yes';
  const isKnown = hosts === undefined ? isLoopback(url.hostname) : hosts.includes(url.hostname);
  return isKnown ? 'yes' : 'not a host to call';
}

// --- internal ---

/** The URL parser has already normalised every spelling of an address. */
function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}
