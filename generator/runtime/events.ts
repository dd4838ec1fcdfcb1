import { eventStreamParser } from '../../contract/policies/event-stream.ts';
import type { StreamEvent } from '../../contract/policies/event-stream.ts';
import { ResponseError, withoutQuery } from './errors.ts';
import type { Answer } from './operation.ts';
import { pieces } from './pieces.ts';
import type { PieceOptions, Source } from './pieces.ts';

export interface EventOptions extends Omit<PieceOptions, 'maxLength'> {
  /** The longest event, in characters. 16,777,216 by default. */
  readonly maxEventLength?: number | undefined;
}

/**
 * The events of an answer whose body is a stream of them, until the server ends it. Leaving the loop closes
 * the connection. It does not reconnect; `follow` does.
 *
 * @throws {ConnectionError} when the connection breaks
 * @throws {TimeoutError} when the stream is silent for too long, without even a comment
 * @throws {ResponseError} when the body is a page or JSON, or an event is longer than `maxEventLength`
 * @throws the reason of `options.signal` when it aborts
 */
export function serverEvents(
  answer: Answer<Response['body'] | { readonly body: Response['body'] }>,
  { maxEventLength, ...options }: EventOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const { data } = answer;
  const { body = data as Response['body'] } = (data ?? {}) as { readonly body?: Response['body'] };
  return eventsOf({ ...answer, body }, { ...options, maxLength: maxEventLength });
}

/** The same for a body that is already available. */
export async function* eventsOf(
  source: Source,
  options: PieceOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const type = source.headers.get('content-type') ?? '';
  // Otherwise the login page of a network or the error page of a gateway would look like an empty stream.
  if (/html|json|xml/i.test(type)) {
    source.body?.cancel().catch(() => undefined);
    const { body: _body, ...facts } = source;
    void _body;
    throw new ResponseError(`The server sent ${type} instead of events`, {
      ...facts,
      url: withoutQuery(facts.url),
    });
  }
  const parser = eventStreamParser();
  const reading = { what: 'An event', bound: 'maxEventLength', push: parser.push, held: parser.held };
  yield* pieces(source, reading, options);
}
