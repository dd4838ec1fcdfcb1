import { boundaryOf } from './multipart.ts';
import type { ServedContent } from './served-api.ts';

/** How the items of a body are written one after another. */
interface ItemForm {
  /** The media type of the body, with what a reader of this form needs. */
  readonly mediaType: string;
  /** What comes before the first item, and after the last one. */
  readonly head: string;
  readonly tail: string;
  readonly written: (item: unknown) => string | Promise<Uint8Array>;
}

/**
 * How the items of a body are written, by its description. Without one, they are lines of JSON.
 *
 * @param named the media type that the handler gives the answer
 */
export function itemForm(content: ServedContent | undefined, named?: string | null): ItemForm {
  const { mediaType = 'application/jsonl', bodyFormat, partType } = content ?? {};
  const type = named ?? mediaType;
  if (bodyFormat === 'parts') return partForm(type, partType);
  const before = bodyFormat === 'sequence' ? '\u001E' : '';
  return {
    mediaType: type,
    ...{ head: '', tail: '', written: (item) => `${before}${JSON.stringify(item)}\n` },
  };
}

/** The chunks of a body: each item is one, with what comes before or after it. */
export async function* writtenItems(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  { head, tail, written }: ItemForm,
): AsyncGenerator<string | Uint8Array> {
  let before = head;
  for await (const item of items) {
    const chunk = await written(item);
    yield before === '' ? chunk : joined([before, chunk]);
    before = '';
  }
  if (before + tail !== '') yield before + tail;
}

/** All chunks of a body. */
export async function itemBytes(items: readonly unknown[], form: ItemForm): Promise<Uint8Array> {
  const chunks: (string | Uint8Array)[] = [];
  for await (const chunk of writtenItems(items, form)) chunks.push(chunk);
  return joined(chunks);
}

// --- internal ---

/**
 * The parts of RFC 2046, section 5.1. Each is written with the delimiter after it, so that a reader knows at once that it
 * is complete.
 */
function partForm(type: string, partType: string | undefined): ItemForm {
  const stated = boundaryOf(type);
  const boundary = stated ?? `part-${crypto.randomUUID()}`;
  return {
    mediaType: stated === undefined ? `${type}; boundary=${boundary}` : type,
    head: `--${boundary}`,
    tail: '--\r\n',
    written: async (item) => {
      const isBlob = item instanceof Blob;
      const isBytes = isBlob || item instanceof Uint8Array;
      const isText = typeof item === 'string' && (partType === undefined || !JSON_TYPE.test(partType));
      const own = isBlob && item.type !== '' ? item.type : undefined;
      const usual = isBytes ? 'application/octet-stream' : isText ? 'text/plain' : 'application/json';
      const bytes = isBlob ? new Uint8Array(await item.arrayBuffer()) : item;
      const content = isBytes ? (bytes as Uint8Array) : isText ? item : JSON.stringify(item);
      return joined([`\r\nContent-Type: ${own ?? partType ?? usual}\r\n\r\n`, content, `\r\n--${boundary}`]);
    },
  };
}

const JSON_TYPE = /[/+]json\s*(?:;|$)/i;
const ENCODER = new TextEncoder();

function joined(chunks: readonly (string | Uint8Array)[]): Uint8Array {
  const parts = chunks.map((chunk) => (typeof chunk === 'string' ? ENCODER.encode(chunk) : chunk));
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
