import type { Fixtures } from '../conformance/index.ts';
import type { Context } from './context.ts';
import { printDiagnostics } from './diagnostics.ts';
import { CommandFailure } from './failure.ts';
import { typed } from '../contract/index.ts';
import { readUserFile } from './user-file.ts';

/** @throws {CommandFailure} when the file is missing or not valid; each problem has been printed by then */
export async function readFixturesFile(file: string, context: Context): Promise<Fixtures> {
  const { readFixtures } = await import('../conformance/index.ts');
  const help = [`for a file to start from: ${typed('fixtures --template')}`];
  const text = await readUserFile(file, context, help);
  const read = readFixtures(text, context.environment, file);
  if (read.ok) return read.fixtures;
  printDiagnostics(read.diagnostics, context);
  throw new CommandFailure(2, `${file} is not a valid fixtures file`, ['nothing was sent']);
}
