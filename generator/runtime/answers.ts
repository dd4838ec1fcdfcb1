/** How the body of a result is read. A generated operation names the function that it needs. */

import type { Clock } from './clock.ts';
import { endedBy } from './ended-by.ts';
import type { AnswerFacts } from './errors.ts';

/** Options for results that arrive item by item. */
export interface Reading {
  readonly answer: AnswerFacts;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * @param mostBytes the longest body that is read as a whole
 * @throws {SyntaxError} when the body does not match its media type
 * @throws {RangeError} when the body is longer; any other error means that the connection broke
 */
export type AnswerReader = (response: Response, mostBytes?: number, reading?: Reading) => Promise<unknown>;

export const readJson: AnswerReader = async (response, mostBytes) =>
  JSON.parse(await readUtf8(response, mostBytes)) as unknown;

export const readUtf8 = (response: Response, mostBytes = 67_108_864): Promise<string> =>
  bounded(response, mostBytes).text();

/**
 * Text in the `charset` of its media type. UTF-8 if there is none, or if the platform does not support it.
 */
export const readText = async (response: Response, mostBytes = 67_108_864): Promise<string> => {
  const mediaType = response.headers.get('content-type') ?? '';
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType) ?? [];
  return decoderOf(charset).decode(await bounded(response, mostBytes).arrayBuffer());
};

export const readBlob: AnswerReader = (response, mostBytes = 2 ** 30) => bounded(response, mostBytes).blob();

export const readNothing: AnswerReader = async (response) => {
  await response.body?.cancel();
  return undefined;
};

/** For operations whose results have no body at some statuses, regardless of their media type. */
export const readExcept =
  (statuses: readonly number[], read: AnswerReader = readJson): AnswerReader =>
  (response, mostBytes, reading) =>
    (statuses.includes(response.status) ? readNothing : read)(response, mostBytes, reading);

/** Leaves the body to the caller, for results that arrive in pieces. The signal of the call ends it. */
export const readStream: AnswerReader = (response, _mostBytes, reading) =>
  Promise.resolve(endedBy(response.body, reading?.signal));

/** For operations whose results come in several media types. */
export const readByMediaType: AnswerReader = (response, mostBytes) => {
  const mediaType = response.headers.get('content-type') ?? '';
  if (/^[^;]*[/+]json\s*(;|$)/i.test(mediaType)) return readJson(response, mostBytes);
  return TEXTUAL.test(mediaType) ? readText(response, mostBytes) : readBlob(response, mostBytes);
};

// --- internal ---

const TEXTUAL =
  /^(?:\s*text\/|[^;]*[/+](?:x-)?(?:xml|yaml|toml|graphql|sql|jwt|javascript|www-form-urlencoded)\b)/i;

const decoderOf = (charset: string | undefined) => {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};

/** In some environments, answers have no streams. Their length cannot be limited. */
function bounded(response: Response, mostBytes: number): Response {
  const { body, headers } = response;
  if (!body) return response;
  let rest = mostBytes;
  const counted = new TransformStream({
    transform(chunk: Uint8Array, controller) {
      if ((rest -= chunk.length) < 0) throw new RangeError('The body exceeds maxResponseBytes');
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counted), { headers });
}
