import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** `notes.behaviour.yaml` beside `notes.yaml` or `notes.openapi.yaml`. */
export function sheetBeside(document: string, cwd: string): string | undefined {
  const beside = document.replace(/(?:\.openapi)?\.(ya?ml|json)$/, '.behaviour.$1');
  return beside !== document && existsSync(resolve(cwd, beside)) ? beside : undefined;
}
