import { emitBucket } from '../contract/policies/error-buckets.ts';
import { formatComment, formatEvent } from '../contract/policies/event-stream.ts';
import { contentFor, isItemised, mediaTypeFor, statusMember } from './answer-content.ts';
import type { LooseReply, ServerEvent } from './handler.ts';
import { itemBytes, itemForm, writtenItems } from './items.ts';
import type { Judge } from './judge.ts';
import type { ServedApi, ServedContent, ServedOperation } from './served-api.ts';

/** An answer as it is sent, without the headers that every answer has. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes, or a stream. */
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
}

/**
 * Serialises a reply and adds the headers that the contract documents.
 *
 * @throws {TypeError} for a status that cannot be sent
 */
export async function outgoing(
  api: ServedApi,
  operation: ServedOperation | undefined,
  reply: LooseReply,
  keepAliveMs: number,
): Promise<Outgoing> {
  const { status } = reply;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`a status must be a whole number from 200 to 599, not ${JSON.stringify(status)}`);
  const headers = headersOf(reply);
  nameReason(api, reply, headers);
  if (reply.events !== undefined) {
    setUnset(headers, 'Content-Type', 'text/event-stream');
    setUnset(headers, 'Cache-Control', 'no-cache');
    setUnset(headers, ...UNBUFFERED);
    // A stream of the policy `event-stream` cannot be resumed, so its events have no ids.
    const isNumbered = operation?.stream === undefined;
    return { status: reply.status, headers, body: streamed(reply.events, keepAliveMs, isNumbered) };
  }
  const content = contentFor(operation, reply);
  const named = headers.get('content-type');
  if (reply.items !== undefined) {
    const form = itemForm(content, named);
    headers.set('Content-Type', form.mediaType);
    setUnset(headers, ...UNBUFFERED);
    return { status: reply.status, headers, body: writtenItems(reply.items, form) };
  }
  const { body } = reply;
  const form = isListOfItems(reply, content) ? itemForm(content, named) : undefined;
  const bytes =
    form !== undefined
      ? await itemBytes(body as readonly unknown[], form)
      : body instanceof Blob
        ? new Uint8Array(await body.arrayBuffer())
        : bytesOf(reply, content);
  const mediaType = form?.mediaType ?? named ?? mediaTypeFor(content, reply);
  if (bytes.length > 0) headers.set('Content-Type', mediaType);
  return { status: reply.status, headers, body: bytes };
}

/** The faults of a reply by the document. Only a refusal may have an undeclared status. */
export function misfitsOf(
  operation: ServedOperation,
  reply: LooseReply,
  judge: Judge,
  isRefusal: boolean,
): readonly string[] {
  const contents = statusMember(operation.responses, reply.status);
  if (contents === undefined)
    return isRefusal ? [] : [`the document declares no answer with the status ${String(reply.status)}`];
  if ((reply.events ?? reply.items) !== undefined) return [];
  const [first] = contents;
  if (first === undefined) {
    return reply.body === undefined && reply.raw === undefined
      ? []
      : ['the document has no body for this status'];
  }
  const { bodyFormat, schema } = contentFor(operation, reply) ?? first;
  if (bodyFormat !== 'json' || schema === undefined) return [];
  let value = reply.body;
  if (reply.raw !== undefined) {
    try {
      value = JSON.parse(
        typeof reply.raw === 'string' ? reply.raw : new TextDecoder().decode(reply.raw),
      ) as unknown;
    } catch {
      return ['the body is not JSON'];
    }
  }
  if (reply.raw === undefined) {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return ['the body cannot be written as JSON'];
    value = JSON.parse(text) as unknown;
  }
  const judged = judge(schema, value);
  return judged.ok === false
    ? judged.errors.map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`)
    : [];
}

// --- internal ---

function headersOf(reply: LooseReply): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    if (typeof value === 'string') headers.set(name, value);
    else for (const each of value) headers.append(name, each);
  }
  return headers;
}

/** Sets a header, unless the handler did. */
function setUnset(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

/** If the API has a header for the reason, every error carries it. */
function nameReason(api: ServedApi, reply: LooseReply, headers: Headers): void {
  const { errors } = api;
  if (errors.kind !== 'buckets' || reply.status < 400) return;
  const { policy } = errors;
  if (headers.has(policy.header)) return;
  const member = (reply.body as Readonly<Record<string, unknown>> | null | undefined)?.[policy.bodyMember];
  const said = reply.reason ?? (typeof member === 'string' ? member : undefined);
  const byStatus = policy.buckets.filter(({ status }) => status === reply.status);
  const only = byStatus.length === 1 ? byStatus[0]?.name : undefined;
  headers.set(policy.header, emitBucket(policy, said ?? only ?? policy.fallback));
}

/** Whether a body is the list of what is written item by item. */
function isListOfItems({ body, raw }: LooseReply, content: ServedContent | undefined): boolean {
  return raw === undefined && Array.isArray(body) && content !== undefined && isItemised(content);
}

function bytesOf(reply: LooseReply, content: ServedContent | undefined): Uint8Array {
  if (reply.raw !== undefined) return typeof reply.raw === 'string' ? ENCODER.encode(reply.raw) : reply.raw;
  if (reply.body === undefined) return NOTHING;
  if (reply.body instanceof Uint8Array) return reply.body;
  if (typeof reply.body === 'string' && content !== undefined && content.bodyFormat !== 'json')
    return ENCODER.encode(reply.body);
  return ENCODER.encode(JSON.stringify(reply.body));
}

/** Proxies such as nginx would keep a stream back until its end. */
const UNBUFFERED = ['X-Accel-Buffering', 'no'] as const;
const ENCODER = new TextEncoder();
const NOTHING = new Uint8Array();

/** The text of a stream, with a comment line as a keep-alive when there is no event for a while. */
async function* streamed(
  events: AsyncIterable<ServerEvent>,
  keepAliveMs: number,
  isNumbered: boolean,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const rest = pause(keepAliveMs);
      const first = await Promise.race([next, rest.over]).finally(rest.end);
      if (first === undefined) {
        yield formatComment('');
        continue;
      }
      if (first.done === true) return;
      next = iterator.next();
      // A rejection is handled when its turn comes. Until then, nothing awaits the promise.
      next.catch(() => undefined);
      yield textOf(first.value, isNumbered);
    }
  } finally {
    // A waiting iteration ends when its signal aborts; this code does not wait for that.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function textOf(event: ServerEvent, isNumbered: boolean): string {
  if ('comment' in event) return formatComment(event.comment);
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  const id = isNumbered && event.id !== undefined ? { id: event.id } : {};
  return formatEvent({ event: event.event, data, ...id });
}

function pause(ms: number): { readonly over: Promise<undefined>; readonly end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  return {
    over,
    end: () => {
      clearTimeout(timer);
    },
  };
}
