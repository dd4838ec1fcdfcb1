/** How the body of a result is read. A generated operation names the function that it needs. */

/** @throws {SyntaxError} when the body is not what its media type says; anything else that is thrown broke off */
export type AnswerReader = (response: Response) => Promise<unknown>;

export const readJson: AnswerReader = async (response) => JSON.parse(await response.text()) as unknown;

export const readText: AnswerReader = (response) => response.text();

export const readBlob: AnswerReader = (response) => response.blob();

export const readNothing: AnswerReader = async (response) => {
  await response.body?.cancel();
  return undefined;
};

/** Leaves the body to the caller, for results that arrive bit by bit. */
export const readStream: AnswerReader = (response) => Promise.resolve(response.body);

/** For operations whose results come in several media types. */
export const readByMediaType: AnswerReader = (response) => {
  const mediaType = response.headers.get('content-type') ?? '';
  if (/^[^;]*[/+]json\s*(;|$)/i.test(mediaType)) return readJson(response);
  return /^\s*text\//i.test(mediaType) ? readText(response) : readBlob(response);
};
