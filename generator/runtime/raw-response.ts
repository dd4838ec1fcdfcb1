import type { AnswerReader } from './answers.ts';
import { endedBy } from './ended-by.ts';
import type { Answer, CallOptions } from './operation.ts';

/**
 * The answer of a call with its unread `Response` as the data: `const { data: response } = await
 * rawResponse((options) => getThing(connection, input, options))`. Key, retries and time limits are those of
 * the call, and an answer that is not a result is thrown as usual. `timeoutMs` and `maxResponseBytes` do not
 * apply to reading the body; the signal of the call ends it.
 *
 * @param call makes the call with these options, to which it may add others
 */
export async function rawResponse(
  call: (options: Pick<CallOptions, 'read'>) => Promise<Answer>,
): Promise<Answer<Response>> {
  const answer = await call({ read: readResponse });
  const { data, status, headers } = answer;
  return { ...answer, data: (data as Response | undefined) ?? new Response(null, { status, headers }) };
}

// --- internal ---

const readResponse: AnswerReader = (response, _mostBytes, reading) => {
  const { status, statusText, headers, body } = response;
  const ended = endedBy(body, reading?.signal);
  return Promise.resolve(ended === body ? response : new Response(ended, { status, statusText, headers }));
};
