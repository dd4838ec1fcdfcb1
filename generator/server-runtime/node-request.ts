import { BodyTaken, collect } from '../../engine/exchange.ts';

/** The used part of a `node:http` request. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion?: string;
  readonly rawHeaders: readonly string[];
  /** Whether the whole request has arrived. */
  readonly complete?: boolean;
  /** Whether any part of its body was read. */
  readonly readableDidRead?: boolean;
  readonly socket?: object | null;
  /** The bytes of a body that has already been read, as cloud functions provide them. */
  readonly rawBody?: unknown;
  /** An iteration that leaves the request open if it ends early. */
  iterator?(options: { readonly destroyOnReturn: false }): AsyncIterable<Uint8Array>;
  destroy?(): unknown;
}

/** @throws {BodyTaken} if it was read before */
export async function bodyOf(request: NodeRequest, mostBytes: number): Promise<Uint8Array | undefined> {
  const { rawBody } = request;
  if (rawBody instanceof Uint8Array) return rawBody.length > mostBytes ? undefined : rawBody;
  if (request.readableDidRead === true)
    throw new BodyTaken('mount this server before express.json() and any other middleware that reads bodies');
  return collect(chunksOf(request), mostBytes);
}

/** Reads and discards the rest of a body. Closes the connection of a caller who sends too much or takes too long. */
export async function discard(request: NodeRequest): Promise<void> {
  const timer: unknown = setTimeout(() => request.destroy?.(), DISCARD_MS);
  (timer as { unref?: () => void }).unref?.();
  try {
    let length = 0;
    for await (const chunk of chunksOf(request)) {
      length += chunk.length;
      if (length > DISCARD_BYTES) break;
    }
    if (request.complete === false) request.destroy?.();
  } catch {
    // The caller has disconnected.
  } finally {
    clearTimeout(timer as ReturnType<typeof setTimeout>);
  }
}

export function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    try {
      headers.append(raw[index] ?? '', raw[index + 1] ?? '');
    } catch {
      // An invalid header is ignored.
    }
  }
  return headers;
}

// --- internal ---

const DISCARD_MS = 5_000;
const DISCARD_BYTES = 10_485_760;

function chunksOf(request: NodeRequest): AsyncIterable<Uint8Array> {
  return request.iterator?.({ destroyOnReturn: false }) ?? request;
}
