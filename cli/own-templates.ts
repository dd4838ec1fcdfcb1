import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot, suggest } from '../contract/index.ts';
import { Failure } from './failure.ts';

/**
 * Holds a folder of a user's templates to what templates there are: one that nothing prints with is a slip of the pen.
 *
 * @throws {Failure} where there is no such folder, and for a template that takes the place of none of ours
 */
export function requireTemplates(folder: string, cwd: string): void {
  const path = resolve(cwd, folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new Failure(2, `there is no folder ${folder} with templates`, ['nothing was changed']);
  const ours = templatesIn(join(packageRoot(), 'templates'));
  for (const name of templatesIn(path)) {
    if (ours.includes(name)) continue;
    const near = suggest(name, ours);
    throw new Failure(
      2,
      `${join(folder, name)} takes the place of none of our templates${near === undefined ? '' : `. Did you mean ${near}?`}`,
      [`ours: ${ours.join(', ')}`, 'nothing was changed'],
    );
  }
}

// --- internal ---

function templatesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.hbs'))
    .sort();
}
