import type { Answer, Refusal, Thing } from './wire.ts';

/** The answer to a refusal, as a problem (RFC 9457) with the code of the refusal. */
export function problemOf({ status, code, message, headers }: Refusal, more: Thing = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
    json: { title: titles[status] ?? 'Error', status, detail: message, code, ...more },
  };
}

// --- internal ---

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorised',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  415: 'Unsupported media type',
  422: 'Invalid content',
  428: 'Precondition required',
  500: 'Server error',
  503: 'Unavailable',
};
