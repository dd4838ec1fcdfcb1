import type { LooseReply } from './handler.ts';
import { isOf } from './media-types.ts';
import type { BodyFormat, ServedContent, ServedOperation } from './served-api.ts';

/**
 * The description of an answer's body, if the document has one for the status. Of several media types, it is the one that
 * the reply names in `Content-Type` or by its Blob, else the first one that can carry a body of this form.
 */
export function contentFor(
  operation: ServedOperation | undefined,
  reply: LooseReply,
): ServedContent | undefined {
  const contents = operation && statusMember(operation.responses, reply.status);
  if (contents === undefined || contents.length < 2) return contents?.[0];
  const named = headerOf(reply) ?? (reply.body instanceof Blob ? reply.body.type : '');
  const fitting = bodyFormatsOf(reply);
  return (
    contents.find(({ mediaType }) => mediaType === named) ??
    contents.find(({ mediaType }) => named !== '' && isOf(mediaType, named)) ??
    fitting
      .map((bodyFormat) => contents.find((content) => content.bodyFormat === bodyFormat))
      .find((found) => found !== undefined) ??
    contents[0]
  );
}

/** The media type that an answer is sent with. A range of the document is not one: the body decides then. */
export function mediaTypeFor(content: ServedContent | undefined, { body, raw }: LooseReply): string {
  const own = body instanceof Blob ? body.type : '';
  if (content === undefined) return raw === undefined && own === '' ? 'application/json' : own || BINARY;
  const { mediaType, bodyFormat } = content;
  if (!mediaType.includes('*')) return bodyFormat === 'multipart' && own !== '' ? own : mediaType;
  if (own !== '') return own;
  if (bodyFormat === 'text') return mediaType.replace(/\*/, 'plain');
  return bodyFormat === 'json' ? 'application/json' : BINARY;
}

/** Whether a body is written item by item. */
export function isItemised({ bodyFormat }: ServedContent): boolean {
  return ITEMISED.includes(bodyFormat);
}

/** The entry for a status: for itself, for its range, or the default. */
export function statusMember<Value>(
  byStatus: Readonly<Record<string, Value>>,
  status: number,
): Value | undefined {
  const name = statusName(byStatus, status);
  return name === undefined ? undefined : byStatus[name];
}

/** The name of that entry. */
export function statusName(byStatus: Readonly<Record<string, unknown>>, status: number): string | undefined {
  const range = String(Math.floor(status / 100));
  return [String(status), `${range}XX`, `${range}xx`, 'default'].find((name) =>
    Object.hasOwn(byStatus, name),
  );
}

// --- internal ---

/** The forms of bodies that are written item by item. */
const ITEMISED: readonly BodyFormat[] = ['lines', 'sequence', 'parts'];

const BINARY = 'application/octet-stream';

/** The bodyFormats that can carry the body of a reply, the most likely one first. */
function bodyFormatsOf({ body, raw, items }: LooseReply): readonly BodyFormat[] {
  if (items !== undefined) return ITEMISED;
  const bytes = raw ?? body;
  if (bytes instanceof Blob || bytes instanceof Uint8Array) return ['binary', 'multipart', 'text'];
  if (raw !== undefined) return [];
  // A text is JSON only if nothing else can carry it.
  if (typeof body === 'string') return ['text', 'form', 'json'];
  return Array.isArray(body) ? ['json', ...ITEMISED] : ['json'];
}

function headerOf({ headers = {} }: LooseReply): string | undefined {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return typeof value === 'string' ? value : value?.[0];
}
