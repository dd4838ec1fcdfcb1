import { isJson } from '../../contract/judge/body-format.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { LooseReply, ServerRequest } from '../../engine/handler.ts';
import type { Answer, AnswerBody } from '../call/answer.ts';
import type { Call } from '../call/call.ts';
import { isXml, xmlOf } from '../samples/xml.ts';
import { reachable } from '../samples/header-samples.ts';
import { webHeadersOf } from './caller.ts';

/** A call as the engine receives it. */
export function serverRequest(call: Call): ServerRequest {
  const { request, signal } = call;
  const headers = webHeadersOf(call);
  const { body } = request.raw;
  return {
    method: request.method,
    target: request.path + request.search,
    headers,
    signal,
    body: (mostBytes) => Promise.resolve(body.length > mostBytes ? undefined : body),
  };
}

/** An answer from a table, with the other headers that the document declares for it. */
export function completed(answer: LooseReply, call: Call, isOwn: (name: string) => boolean): LooseReply {
  const made = asAccepted(answer, call);
  const { status, headers = {} } = made;
  const declared = call.facts.declaredHeaders?.(status) ?? [];
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const others = declared.filter(
    ([name]) => !isOwn(name) && !OF_THE_BODY.test(name) && !given.has(name.toLowerCase()),
  );
  const all = { ...Object.fromEntries(others), ...headers };
  const { Location: path } = headers;
  if (typeof path !== 'string') return { ...made, headers: all };
  const isUri = declared.some(([name, value]) => /^location$/i.test(name) && /^https?:/.test(value));
  return { ...made, headers: { ...all, Location: reachable(call.request, path, isUri ? 'uri' : undefined) } };
}

/**
 * An answer of the document as a reply of a handler.
 *
 * @param isOwn whether the engine itself sends a header, if it is declared
 */
export function replyOf(answer: Answer, isOwn: (name: string) => boolean): LooseReply {
  const { status, body } = answer;
  // A generated text is not a valid entity tag, so the engine makes one.
  const isTag = (value: string): boolean => /^(?:W\/)?"[^"]*"$/.test(value);
  const headers = Object.fromEntries(
    answer.headers.filter(([name, value]) => !isOwn(name) && (!/^etag$/i.test(name) || isTag(value))),
  );
  switch (body.kind) {
    case 'none':
      return { status, headers };
    case 'json':
      return { status, headers, body: body.value };
    case 'bytes':
      return { status, headers, raw: body.bytes };
    case 'stream':
      throw new Error('an example is not a stream');
  }
}

/** An answer of the engine with its basis: the example, or the sheet. */
export function answerOf(
  { status, headers, body }: Exchange,
  { example, call }: { readonly example?: Answer; readonly call: Call },
): Answer {
  const lines = [...headers].filter(([name]) => name !== 'content-length');
  const made: Answer = { status, headers: lines, body: bodyOf(headers, body) };
  const isExample = example !== undefined && example.status === status;
  const licence = isExample ? example.licence : `the sheet ${call.operation?.id ?? 'of the document'}`;
  return licence === undefined ? made : { ...made, licence };
}

// --- internal ---

/** The same answer in XML, if the document declares that too, and the caller names it and neither JSON nor any type. */
function asAccepted(made: LooseReply, { operation, request }: Call): LooseReply {
  const accept = request.header('accept') ?? '*/*';
  const declared = operation?.responses.find(({ status }) => status === String(made.status))?.content ?? [];
  const xml = declared.find(({ mediaType }) => isXml(mediaType) && accept.includes(mediaType))?.mediaType;
  if (xml === undefined || made.body === undefined || /json|\*\/\*/i.test(accept)) return made;
  const { body, ...others } = made;
  const raw = new TextEncoder().encode(xmlOf(body));
  return { ...others, headers: { ...made.headers, 'Content-Type': xml }, raw };
}

/**
 * The headers that an answer determines: its media type, its version, and the link to the next page of a
 * list.
 */
const OF_THE_BODY = /^(?:content-type|etag|link|location|tallystick-answer)$/i;

function bodyOf(headers: Headers, body: Exchange['body']): AnswerBody {
  if (!(body instanceof Uint8Array)) return { kind: 'stream', chunks: bytesOf(body) };
  if (body.length === 0) return { kind: 'none' };
  const text = new TextDecoder().decode(body);
  if (!isJson(headers.get('content-type') ?? '')) return { kind: 'bytes', bytes: body };
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown, text };
  } catch {
    return { kind: 'bytes', bytes: body };
  }
}

async function* bytesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}
