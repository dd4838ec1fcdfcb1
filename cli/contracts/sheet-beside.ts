import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The name of a document's behaviour sheet: `notes.behaviour.yaml` for `notes.yaml` and `notes.openapi.yaml`.
 */
export function sheetNameOf(document: string): string | undefined {
  const name = document.replace(/(?:\.openapi)?\.(ya?ml|json)$/, '.behaviour.$1');
  return name === document ? undefined : name;
}

/** The sheet beside a document, if there is one. */
export function sheetBeside(document: string, cwd: string): string | undefined {
  const name = sheetNameOf(document);
  return name !== undefined && existsSync(resolve(cwd, name)) ? name : undefined;
}
