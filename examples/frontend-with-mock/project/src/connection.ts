import { connect } from './api/router/index.js';
import type { Connection } from './api/router/index.js';

/** One attempt of a call. */
export interface Attempt {
  readonly key: string | null;
  /** The status, or `undefined` without an answer. */
  readonly status: number | undefined;
}

/**
 * Calls go to the page's own origin, whose server forwards them with a key. With
 * `?api=http://localhost:4710&key=…` they go to a mock on another origin. The page itself contains no key.
 */
const asked = new URLSearchParams(location.search);
const direct = asked.get('api');
const key = asked.get('key') ?? '';

export function router(onAttempt: (attempt: Attempt) => void): Connection {
  return connect({
    ...(direct === null ? { baseUrl: '' } : { baseUrl: direct, credentials: { ApiKeyAuth: key } }),
    // Every attempt of a call passes through here: the generated client repeats safe calls.
    fetch: async (url, init) => {
      const key = new Headers(init.headers).get('Idempotency-Key');
      const response = await fetch(url, init).catch((error: unknown) => {
        onAttempt({ key, status: undefined });
        throw error;
      });
      onAttempt({ key, status: response.status });
      return response;
    },
  });
}

/** With a key as a bearer token, which both the registry and the jobs accept. */
export const bearer: Connection = connect(
  direct === null ? { baseUrl: '' } : { baseUrl: direct, credentials: { BearerAuth: key } },
);
