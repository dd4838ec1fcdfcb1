import { headerIn } from '../../servers.ts';
import type { Transport, WireRequest, WireResponse } from '../../../../conformance/index.ts';

/** What a caller of the job API knows from the answers that it has got. */
export interface Seen {
  readonly transport: Transport;
  /** Ids of jobs that an answer showed to be over, or whose cancellation was accepted, or came after their end. */
  readonly over: ReadonlySet<string>;
}

/**
 * A transport that remembers which jobs its answers showed to be over.
 *
 * @param answered called after each answer
 */
export function seeing(inner: Transport, answered: (request: WireRequest) => void): Seen {
  const over = new Set<string>();
  const makers = new Map<string, string | undefined>();
  const transport: Transport = async (request) => {
    const response = await inner(request).finally(() => answered(request));
    const cancelled = /\/jobs\/([^/?]+)\/cancel$/.exec(request.target)?.[1];
    const caller = headerIn(request, 'authorization');
    const isGone =
      response.status === 404 && makers.has(cancelled ?? '') && makers.get(cancelled ?? '') === caller;
    if (cancelled !== undefined && (response.status < 300 || isGone)) over.add(cancelled);
    const isMade = /\/jobs$/.test(request.target) && response.status < 300;
    const note = (text: string): void => {
      for (const { id, status } of jobsIn(text)) {
        if (isMade && !makers.has(id)) makers.set(id, caller);
        if (OVER.has(status)) over.add(id);
      }
    };
    return { ...response, body: reading(response.body, note) };
  };
  return { transport, over };
}

// --- internal ---

const OVER = new Set(['succeeded', 'canceled', 'failed', 'expired', 'canceling']);

async function* reading(
  body: WireResponse['body'],
  note: (text: string) => void,
): AsyncGenerator<Uint8Array, void> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      yield chunk;
    }
  } finally {
    note(Buffer.concat(chunks).toString());
  }
}

/** The jobs in a body, or in the frames of a stream. */
function* jobsIn(text: string): Generator<{ readonly id: string; readonly status: string }> {
  const frames = text.split(/(?:\r?\n){2}/).map((frame) =>
    frame
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
      .join('\n'),
  );
  for (const part of [text, ...frames]) {
    let value: unknown;
    try {
      value = JSON.parse(part);
    } catch {
      continue;
    }
    for (const one of [value, (Object(value) as { readonly job?: unknown }).job]) {
      const { id, status } = Object(one) as { readonly id?: unknown; readonly status?: unknown };
      if (typeof id === 'string' && typeof status === 'string') yield { id, status };
    }
  }
}
