import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Baseline, Report } from '../../conformance/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { loadCarried } from '../contracts/own-contracts.ts';
import { shellWord } from '../../contract/index.ts';
import { parseUserJson, readUserFile } from '../files/user-file.ts';

/** Known failures of a server; `undefined` if no file is named. Throws a `Failure` for an unusable file. */
export async function readBaseline(
  file: string | undefined,
  context: Context,
): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  const { parseBaseline, requireKnownRules, ShapeError, UnknownRuleError } =
    await import('../../conformance/index.ts');
  const help = [`to create one, run the same command with --write-baseline ${shellWord(file)}`];
  const text = await readUserFile(file, context, help);
  await parseUserJson(file, text, help);
  try {
    const baseline = parseBaseline(text);
    requireKnownRules(Object.keys(baseline.known), await loadCarried());
    return baseline;
  } catch (cause) {
    if (cause instanceof UnknownRuleError)
      throw new CommandFailure(2, `${file}: ${cause.message}`, ['correct the entry, or remove it'], {
        cause,
      });
    if (!(cause instanceof ShapeError)) throw cause;
    throw new CommandFailure(2, `${file} is not a baseline: ${cause.message}`, help, { cause });
  }
}

/** @throws {CommandFailure} if a baseline could not be written after the run */
export function requireWritable(file: string, { cwd }: Context): void {
  const path = resolve(cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CommandFailure(2, `${file} is a directory`, ['give the path of a file for the baseline']);
  if (!existsSync(dirname(path)))
    throw new CommandFailure(2, `The folder of ${file} does not exist`, ['create the folder first']);
}

/** Writes the failures of a run as known failures. */
export async function writeBaseline(report: Report, file: string, { cwd, terminal }: Context): Promise<void> {
  const { makeBaseline } = await import('../../conformance/index.ts');
  const baseline = makeBaseline(report);
  await writeFile(resolve(cwd, file), `${JSON.stringify(baseline, undefined, 2)}\n`);
  terminal.say(`  ${file}  ${Object.keys(baseline.known).length} known failures`);
}
