import type { Schema } from '../model.ts';

/** What a piece can be: a JSON value, the data of an event, or a part. */
export interface PieceKind {
  /** How its text is read. */
  readonly form: 'json' | 'text' | 'bytes';
  /** Of the value: of the data alone, if the piece is an event. `undefined` if any value is allowed. */
  readonly schema: Schema | undefined;
  /** Of a part that is not JSON, if the document states it. */
  readonly mediaType?: string;
  /** The names of its events, as readers see them: `message` if there is no name. `undefined` if any is allowed. */
  readonly names?: readonly string[];
  /**
   * Set where a schema with `event` and `data` describes the event, and not its data, by the usual reading alone. It is
   * that schema.
   */
  readonly asData?: Schema;
}
