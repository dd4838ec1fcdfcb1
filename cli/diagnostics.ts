import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderDiagnostics } from '../contract/index.ts';
import type { Diagnostic } from '../contract/index.ts';
import type { Context } from './context.ts';

/** Prints the problems in a user's files, with the lines around each place. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  { terminal, cwd }: Pick<Context, 'terminal' | 'cwd'>,
): void {
  if (diagnostics.length === 0) return;
  const source = (file: string): string | undefined => {
    try {
      const bytes = readFileSync(resolve(cwd, file));
      // Lines of a binary file are not readable.
      return bytes.includes(0) ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  };
  terminal.say(
    renderDiagnostics(diagnostics, { colour: terminal.colour.say, ascii: terminal.ascii, source }),
  );
}
