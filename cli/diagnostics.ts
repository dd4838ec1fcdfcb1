import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderDiagnostics } from '../contract/index.ts';
import type { Diagnostic } from '../contract/index.ts';
import type { Context } from './context.ts';

/** Tells what is wrong with a user's files, with the lines in question. */
export function sayDiagnostics(diagnostics: readonly Diagnostic[], { terminal, cwd }: Context): void {
  if (diagnostics.length === 0) return;
  const source = (file: string): string | undefined => {
    try {
      return readFileSync(resolve(cwd, file), 'utf8');
    } catch {
      return undefined;
    }
  };
  terminal.say(
    renderDiagnostics(diagnostics, { colour: terminal.colour.say, ascii: terminal.ascii, source }),
  );
}
