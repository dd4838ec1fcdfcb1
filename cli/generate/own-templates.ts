import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot, suggest } from '../../contract/index.ts';
import { CommandFailure } from '../failure.ts';

/**
 * Checks the file names in a user's template folder: a name that is never used is probably misspelt.
 *
 * @throws {CommandFailure} if there is no such folder, and for a name that is not the name of any template
 */
export function requireTemplates(folder: string, cwd: string): void {
  const path = resolve(cwd, folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new CommandFailure(2, `The template folder ${folder} does not exist`, ['nothing was changed']);
  const ours = templatesIn(join(packageRoot(), 'templates'));
  for (const name of templatesIn(path)) {
    if (ours.includes(name)) continue;
    const near = suggest(name, ours);
    throw new CommandFailure(
      2,
      `${join(folder, name)} does not replace any template${near === undefined ? '' : `. Did you mean ${near}?`}`,
      [`templates: ${ours.join(', ')}`, 'nothing was changed'],
    );
  }
}

// --- internal ---

function templatesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.hbs'))
    .sort();
}
