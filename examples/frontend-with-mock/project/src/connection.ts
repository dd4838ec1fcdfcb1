import { connect } from './api/router/index.js';
import type { Connection } from './api/router/index.js';

/** One attempt of a call, as it went over the wire. */
export interface Attempt {
  readonly key: string | null;
  /** The status, or `undefined` where no answer came. */
  readonly status: number | undefined;
}

/**
 * Calls go to the page's own origin, whose server passes them on with a key. With `?api=http://localhost:4710&key=…` they go
 * to a mock on another origin. The page itself contains no key.
 */
const asked = new URLSearchParams(location.search);
const direct = asked.get('api');
const key = asked.get('key') ?? '';

export function router(onAttempt: (attempt: Attempt) => void): Connection {
  return connect({
    ...(direct === null ? { baseUrl: '' } : { baseUrl: direct, credentials: { ApiKeyAuth: key } }),
    // Every attempt of a call passes here: the generated client sends again by itself, where that is safe.
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

/** With a key as bearer: the registry and the jobs take it alike. */
export const bearer: Connection = connect(
  direct === null ? { baseUrl: '' } : { baseUrl: direct, credentials: { BearerAuth: key } },
);
