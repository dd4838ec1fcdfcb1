import type { LineTable } from './locate.ts';
import type { Diagnostic } from '../model.ts';

/** The value of a text, with a function from a path to its offset. */
export type ParsedText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly offsetOf: (path: readonly string[], part?: 'name') => number | undefined;
      readonly lines: LineTable;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };
