import { idempotentMethodRules, otherMethodRules } from '../../contract/policies/retry.ts';
import { readNothing } from './answers.ts';
import { binary, prepareBody } from './bodies.ts';
import type { Bytes } from './bodies.ts';
import type { Connection, Fetch } from './connection.ts';
import { CallError, ResponseError, withoutQuery } from './errors.ts';
import { send } from './http.ts';
import { at, linkIn } from './links.ts';
import type { Answer, CallOptions } from './operation.ts';

/** The place of the upload address in an answer, and the default way to send the file. Generated. */
export interface UploadRules {
  /** The path of the address in the answer. */
  readonly address: readonly string[];
  readonly method: string;
  readonly mediaType: string;
}

export interface UploadOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Replaces the default method. */
  readonly method?: string | undefined;
  /** Replaces the default media type. */
  readonly mediaType?: string | undefined;
  /** Called while the file is sent, and once at the end. A new attempt begins at zero. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** In bytes. */
export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
}

export type UploadFile = Blob | ArrayBuffer | Bytes;

/** The file was not uploaded; `answer` still has the address, so the upload can be tried again. */
export class UploadError<Published extends Answer = Answer> extends CallError {
  override readonly name = 'UploadError';
  declare readonly answer: Published;
}

/** The time limit of one attempt, which is longer than for requests because archives are larger. */
const TIMEOUT_MS = 600_000;

/**
 * Sends a file to the address in an answer. The address itself is the permission: credentials and headers of
 * the connection are never sent along, regardless of the host. With an idempotent method, the upload is
 * retried like other calls.
 *
 * @throws {UploadError} when the upload failed; its `cause` is the reason
 * @throws the reason of `options.signal` when it aborts
 */
export async function upload<Published extends Answer>(
  connection: Connection,
  rules: UploadRules,
  answer: Published,
  file: UploadFile,
  options: UploadOptions = {},
): Promise<Answer<undefined>> {
  const { method = rules.method, mediaType = rules.mediaType, onProgress, ...call } = options;
  const blob = file instanceof Blob ? file : new Blob([file]);
  const total = blob.size;
  const isRepeatable = method.toUpperCase() === 'PUT';
  const operation = {
    api: { name: 'upload' },
    id: 'upload',
    method,
    path: '',
    body: { prepare: prepareBody, write: binary, mediaType, required: true },
    read: readNothing,
    retry: isRepeatable ? idempotentMethodRules : otherMethodRules,
    timeoutMs: TIMEOUT_MS,
  };
  const { data: _data, replayed: _replayed, ...facts } = answer;
  try {
    const address = linkIn(answer, ...rules.address);
    if (address === undefined) {
      const details = { ...facts, url: withoutQuery(answer.url) };
      throw new ResponseError('The answer has no upload address', details);
    }
    const to: Connection = { ...at(connection, address), credentials: {}, headers: {} };
    const via = onProgress && progressing(connection.fetch, blob, onProgress);
    const sent = await send(via ? { ...to, fetch: via } : to, operation, { body: blob }, call);
    onProgress?.({ sent: total, total });
    return sent as Answer<undefined>;
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    const { operation: id, url, attempts, idempotencyKey } = cause;
    const details = { operation: id, method, url, attempts, idempotencyKey, answer, cause };
    throw new UploadError<Published>('The file was not uploaded', details);
  }
}

// --- internal ---

interface BrowserGlobals {
  readonly XMLHttpRequest?: new () => Uploading;
}

interface Uploading {
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  readonly status: number;
  responseType: string;
  readonly response: unknown;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/** Browsers report upload progress only through XMLHttpRequest. Elsewhere, the body is counted while it is read. */
function progressing(own: Fetch | undefined, file: Blob, tell: (progress: UploadProgress) => void): Fetch {
  const { XMLHttpRequest: Request } = globalThis as unknown as BrowserGlobals;
  if (own === undefined && Request !== undefined)
    return (url, init) => byOlder(Request, url, init, file, tell);
  return (url, init, facts, operation) => {
    let sent = 0;
    const counted = file.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          tell({ sent: (sent += chunk.byteLength), total: file.size });
          controller.enqueue(chunk);
        },
      }),
    );
    const headers = new Headers(init.headers);
    // Stores with signed addresses require the length in advance.
    headers.set('content-length', String(file.size));
    const streamed = { ...init, headers, body: counted, duplex: 'half' } as RequestInit;
    return own?.(url, streamed, facts, operation) ?? globalThis.fetch(url, streamed);
  };
}

function byOlder(
  Request: new () => Uploading,
  url: string,
  init: RequestInit,
  file: Blob,
  tell: (progress: UploadProgress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new Request();
    const { signal } = init;
    signal?.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason as Error);
    });
    request.upload.onprogress = ({ loaded }) => tell({ sent: loaded, total: file.size });
    request.onerror = () => reject(new TypeError('Failed to fetch'));
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const headers = new Headers();
      for (const line of lines) {
        const [name = '', ...value] = line.split(':');
        if (name !== '') headers.append(name, value.join(':').trim());
      }
      const isEmpty = [204, 205, 304].includes(request.status);
      resolve(new Response(isEmpty ? null : (request.response as Blob), { status: request.status, headers }));
    };
    request.open(init.method ?? 'PUT', url);
    request.responseType = 'blob';
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.send(file);
  });
}
