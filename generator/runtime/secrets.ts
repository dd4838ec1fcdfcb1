/** The places of a secret in a request. A generated operation names the function that it needs. */

import { form } from './parameters.ts';

/** The parts of a request to which a secret is added before it is sent. */
export interface Draft {
  url: string;
  readonly headers: Headers;
}

export type SecretWriter = (draft: Draft, secret: string, parameter: string) => void;

export const bearer: SecretWriter = ({ headers }, secret) => headers.set('authorization', `Bearer ${secret}`);

/** The secret is `user:password`. */
export const basic: SecretWriter = ({ headers }, secret) =>
  headers.set('authorization', `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(secret)))}`);

export const keyInHeader: SecretWriter = ({ headers }, secret, parameter) => headers.set(parameter, secret);

export const keyInQuery: SecretWriter = (draft, secret, parameter) => {
  draft.url += (draft.url.includes('?') ? '&' : '?') + pair(parameter, secret);
};

/** Browsers send only their own cookies. */
export const keyInCookie: SecretWriter = ({ headers }, secret, parameter) => {
  const cookies = headers.get('cookie');
  headers.set('cookie', (cookies === null ? '' : `${cookies}; `) + `${fit(parameter)}=${fit(secret)}`);
};

// --- internal ---

/**
 * Escapes only characters that cookies cannot contain (RFC 6265). The key is sent as given, because few
 * servers decode cookies.
 */
const fit = (text: string): string =>
  text.replace(/[^\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]/gu, encodeURIComponent);

const pair = (name: string, value: string): string => form(name, value, true, encodeURIComponent);
