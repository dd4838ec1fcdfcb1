/** Results that arrive item by item. A generated operation names the function that reads them. */

import { readByMediaType } from './answers.ts';
import { endedBy } from './ended-by.ts';
import type { AnswerReader, Reading } from './answers.ts';
import { ResponseError, withoutQuery } from './errors.ts';
import { eventsOf } from './events.ts';
import { pieces } from './pieces.ts';
import type { PieceReading, Source } from './pieces.ts';

/**
 * A result that arrives item by item: `for await (const item of answer.data)`. It can be read once; leaving the loop closes
 * the connection. The signal of its call ends it, too.
 */
export class ItemStream<Item> implements AsyncIterable<Item> {
  /** The raw bytes. */
  readonly body: Response['body'];
  readonly #items: AsyncIterable<Item>;

  constructor(body: Response['body'], items: AsyncIterable<Item>) {
    this.body = body;
    this.#items = items;
  }

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return this.#items[Symbol.asyncIterator]();
  }
}

/** An event whose data the document describes. */
export interface TypedEvent<Data, Name extends string = string> {
  /** `message` if the stream gives no name. */
  readonly event: Name;
  readonly data: Data;
  /** The latest id of the stream, if it has sent one. To resume after it, send it as `Last-Event-ID`. */
  readonly id?: string;
}

/** Server-sent events whose data is JSON. The text `[DONE]`, which many servers send last, ends them. */
export const eventsReader: AnswerReader = namedEventsReader();

/** The same, where the data is JSON only in events with these names; in others it is text. */
export function namedEventsReader(names?: readonly string[]): AnswerReader {
  return (response, _mostBytes, reading) =>
    streamOf(response, reading, async function* (facts, { signal, clock }) {
      for await (const event of eventsOf(facts, { signal, clock })) {
        const isJson = names?.includes(event.event) ?? true;
        if (isJson && event.data === '[DONE]') return;
        yield isJson ? { ...event, data: parsed(event.data, facts) } : event;
      }
    });
}

/** Server-sent events whose data is text. */
export const textEventsReader: AnswerReader = (response, _mostBytes, reading) =>
  streamOf(response, reading, (facts, { signal, clock }) => eventsOf(facts, { signal, clock }));

/** JSON values, one to a line. */
export const linesReader: AnswerReader = (response, _mostBytes, reading) =>
  streamOf(response, reading, (facts, { signal, clock }) =>
    pieces(facts, separated(facts, '\n'), { signal, clock }),
  );

/** JSON values after record separators, RFC 7464. */
export const sequenceReader: AnswerReader = (response, _mostBytes, reading) =>
  streamOf(response, reading, (facts, { signal, clock }) =>
    pieces(facts, separated(facts, '\u001E'), { signal, clock }),
  );

/**
 * For operations whose results come in several media types, some of them item by item.
 *
 * @param parts reads `multipart/mixed`; otherwise it is one value
 */
export function streamedReader(events: AnswerReader = eventsReader, parts?: AnswerReader): AnswerReader {
  return (response, mostBytes, reading) => {
    const mediaType = response.headers.get('content-type') ?? '';
    const [, reader = readByMediaType] =
      [
        [/^\s*text\/event-stream\b/i, events] as const,
        [/^\s*multipart\/mixed\b/i, parts] as const,
        [/json-seq\b/i, sequenceReader] as const,
        [/\b(?:x-)?(?:nd-?json|jsonl|json-?lines)\b/i, linesReader] as const,
      ].find(([pattern]) => pattern.test(mediaType)) ?? [];
    return reader(response, mostBytes, reading);
  };
}

/** The body is not read before the first item is requested. */
export function streamOf<Item>(
  response: Response,
  reading: Reading | undefined,
  itemsOf: (facts: Source, reading: Reading) => AsyncGenerator<Item, void, undefined>,
): Promise<ItemStream<Item>> {
  if (reading === undefined) throw new TypeError('a stream requires its answer');
  const body = endedBy(response.body, reading.signal);
  return Promise.resolve(new ItemStream(body, itemsOf({ ...reading.answer, body }, reading)));
}

/** @throws {ResponseError} when an item is not JSON */
export function parsed(text: string, facts: Source): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw broken(facts, 'An item of the stream is not JSON', cause);
  }
}

/** What is thrown for a stream that cannot be read on. */
export function broken({ body: _body, ...facts }: Source, sentence: string, cause?: unknown): ResponseError {
  void _body;
  return new ResponseError(sentence, { ...facts, url: withoutQuery(facts.url), cause });
}

// --- internal ---

function separated(facts: Source, separator: string): PieceReading<unknown> {
  let pending = '';
  const values = (texts: readonly string[]): unknown[] =>
    texts.filter((text) => text.trim() !== '').map((text) => parsed(text, facts));
  return {
    what: 'An item',
    bound: 'the longest item',
    push(text) {
      const texts = text.split(separator);
      texts[0] = pending + (texts[0] ?? '');
      pending = texts.pop() ?? '';
      return values(texts);
    },
    held: () => pending.length,
    end: () => values([pending]),
  };
}
