import type { LineTable } from './locate.ts';
import type { Diagnostic } from './model.ts';

/** What a text said, with the way back from a path to an offset. */
export type ParsedText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly offsetOf: (path: readonly string[], part?: 'name') => number | undefined;
      readonly lines: LineTable;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
