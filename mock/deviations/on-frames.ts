import { headerOf } from '../call/answer.ts';
import type { AnswerChange } from './changes.ts';
import type { DeviationView } from './deviation.ts';

/**
 * Replaces the event stream of an answer, for deviations of live events. `change` receives the frames one by
 * one, each as the whole text of one event or comment with its final blank line, and yields the frames to
 * send: it may omit frames, add some, or end early. Answers that are no events stay unchanged.
 *
 * ```ts
 * onFrames(async function* (frames) {
 *   let number = 0;
 *   for await (const frame of frames) yield `id: ${String((number += 1))}\n${frame}`;
 * })
 * ```
 */
export function onFrames(
  change: (frames: AsyncIterable<string>, seen: DeviationView) => AsyncIterable<string>,
): AnswerChange {
  return (answer, seen) => {
    const { body } = answer;
    const isText =
      body.kind === 'bytes' && /^text\/event-stream\b/i.test(headerOf(answer, 'Content-Type') ?? '');
    if (body.kind !== 'stream' && !isText) return answer;
    const sent = body.kind === 'stream' ? body.chunks : onlyChunk(body.bytes);
    return { ...answer, body: { kind: 'stream', chunks: encoded(change(framesIn(sent), seen)) } };
  };
}

/**
 * Changes the data in the events with one name; `change` receives the data of each and returns the new data.
 */
export function onEvents(
  named: (seen: DeviationView) => string | undefined,
  change: (data: Readonly<Record<string, unknown>>, count: number) => unknown,
): AnswerChange {
  return onFrames(async function* (frames, seen) {
    const event = named(seen);
    let count = 0;
    for await (const frame of frames) {
      const data = event !== undefined && eventNameOf(frame) === event ? dataOf(frame) : undefined;
      if (event === undefined || data === undefined) yield frame;
      else {
        yield frameOf(event, change(data, count));
        count += 1;
      }
    }
  });
}

/** The event name of a frame; `undefined` for a comment. */
export function eventNameOf(frame: string): string | undefined {
  return /^event: ?(.*)$/m.exec(frame)?.[1];
}

/** The data of a frame, if they are a JSON object. */
export function dataOf(frame: string): Readonly<Record<string, unknown>> | undefined {
  const lines = [...frame.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1] ?? '');
  if (lines.length === 0) return undefined;
  const data: unknown = JSON.parse(lines.join('\n'));
  return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : undefined;
}

export function frameOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

// --- internal ---

async function* onlyChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* framesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      yield rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
    }
  }
  if (rest !== '') yield rest;
}

async function* encoded(frames: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const frame of frames) yield Buffer.from(frame);
}
