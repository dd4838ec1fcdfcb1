/**
 * `npm run scaffold -- rule router.list.some-new-rule` writes the parts of a new rule: its record in the sheet, a scenario
 * and a deviation, each with places to fill in. The checks fail until they are filled in.
 */
import { format, resolveConfig } from 'prettier';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownContractNames, packageRoot } from '../contract/index.ts';
import { ScaffoldMistake, scaffoldRule } from './scaffold-rule.ts';

const [what, id, ...more] = process.argv.slice(2);
const root = packageRoot();

try {
  if (what !== 'rule' || id === undefined || more.length > 0)
    throw new ScaffoldMistake('usage: npm run scaffold -- rule FAMILY.AREA.NAME');
  const { files, next } = scaffoldRule(id, ownContractNames, (path) => {
    const file = join(root, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  });
  for (const [path, text] of files) {
    writeFileSync(join(root, path), path.endsWith('.ts') ? await formatted(path, text) : text);
    console.log(`✔ ${path}`);
  }
  console.log('Next:');
  for (const line of next) console.log(`  ${line}`);
} catch (error) {
  if (!(error instanceof ScaffoldMistake)) throw error;
  console.error(`✖ ${error.message}`);
  process.exitCode = 2;
}

// --- internal ---

async function formatted(path: string, text: string): Promise<string> {
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}
