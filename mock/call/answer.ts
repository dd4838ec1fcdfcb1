import type { SentReply } from './exchange.ts';

/** A header line; names are written as on the wire. */
export type HeaderLine = readonly [name: string, value: string];

/**
 * The answer of a behaviour, before it is serialised. `json` keeps the value beside the text, so that
 * validating it needs no second parse; `text` is set if the exact bytes matter.
 */
export interface Answer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: AnswerBody;
  /** What permits an undeclared status: the id of a rule or of an open point. */
  readonly licence?: string;
  /** Cut the connection instead of answering. */
  readonly cut?: boolean;
}

/** The body of an answer of the mock. */
export type AnswerBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly text?: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Uint8Array> };

const NO_BODY: AnswerBody = { kind: 'none' };
const NO_BYTES = new Uint8Array();
const JSON_TYPE: HeaderLine = ['Content-Type', 'application/json'];

/** An answer with a JSON body; pass `text` if the exact bytes matter. */
export function jsonAnswer(
  status: number,
  value: unknown,
  options: { headers?: readonly HeaderLine[]; text?: string; licence?: string } = {},
): Answer {
  const { headers = [], text, licence } = options;
  return {
    status,
    headers: [JSON_TYPE, ...headers],
    body: text === undefined ? { kind: 'json', value } : { kind: 'json', value, text },
    ...(licence === undefined ? {} : { licence }),
  };
}

/** An answer without a body. */
export function emptyAnswer(
  status: number,
  headers: readonly HeaderLine[] = [],
  options: { licence?: string } = {},
): Answer {
  return { status, headers, body: NO_BODY, ...options };
}

/** No answer: the connection is cut. */
export function cutAnswer(): Answer {
  return { status: 0, headers: [], body: NO_BODY, cut: true };
}

/** The same answer with additional header lines; a line with the same name is replaced. */
export function withHeaders(answer: Answer, lines: readonly HeaderLine[]): Answer {
  const isReplaced = ([name]: HeaderLine): boolean => lines.some(([other]) => isSameName(name, other));
  return { ...answer, headers: [...answer.headers.filter((line) => !isReplaced(line)), ...lines] };
}

/** The same answer without the header lines with these names. */
export function withoutHeaders(answer: Answer, ...names: readonly string[]): Answer {
  const unwanted = new Set(names.map((name) => name.toLowerCase()));
  return { ...answer, headers: answer.headers.filter(([name]) => !unwanted.has(name.toLowerCase())) };
}

/** The value of a header line, by its name in any case. */
export function headerOf(
  answer: { readonly headers: readonly HeaderLine[] },
  name: string,
): string | undefined {
  return answer.headers.find(([candidate]) => isSameName(candidate, name))?.[1];
}

/** The text of a body that is not a stream. */
export function bodyText(body: AnswerBody): string {
  switch (body.kind) {
    case 'none':
    case 'stream':
      return '';
    case 'json':
      return body.text ?? JSON.stringify(body.value);
    case 'bytes':
      return new TextDecoder().decode(body.bytes);
  }
}

/** The serialised text of an answer: it is sent, stored, and used as the key for remembered verdicts. */
export function withText(answer: Answer): Answer {
  const { body } = answer;
  if (body.kind !== 'json' || body.text !== undefined) return answer;
  return { ...answer, body: { ...body, text: bodyText(body) } };
}

/** The bytes that the mock sends. `withoutBody` for a HEAD request. */
export function toReply(answer: Answer, options: { withoutBody: boolean }): SentReply {
  const headers = answer.headers.filter(isSendable);
  const cut = answer.cut === true ? { cut: true } : {};
  return {
    status: answer.status,
    headers,
    body: options.withoutBody ? NO_BYTES : bytesOf(answer.body),
    ...cut,
  };
}

/** The answer with a header line that names the parts of the request that could not be fulfilled. */
export function withRemark(answer: Answer, remark: string): Answer {
  return withHeaders(answer, [[REMARK, remark.replaceAll(/[^\x20-\x7e]/g, '?')]]);
}

const REMARK = 'Tallystick-Remark';

// --- internal ---

function bytesOf(body: AnswerBody): Uint8Array | AsyncIterable<Uint8Array> {
  switch (body.kind) {
    case 'none':
      return NO_BYTES;
    case 'json':
      return Buffer.from(body.text ?? JSON.stringify(body.value));
    case 'bytes':
      return body.bytes;
    case 'stream':
      return body.chunks;
  }
}

function isSameName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}

/** Header values never contain a line break: this prevents response splitting. */
function isSendable([name, value]: HeaderLine): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
