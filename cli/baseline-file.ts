import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Baseline, Report } from '../conformance/index.ts';
import { readBounded } from './bounded-file.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** Known failures of a server; `undefined` where no file is named. */
export async function readBaseline(
  file: string | undefined,
  { cwd }: Context,
): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  const { parseBaseline, ShapeError } = await import('../conformance/index.ts');
  const help = [`make one: --write-baseline ${file}`];
  try {
    return parseBaseline(await readBounded(resolve(cwd, file), file, MOST_BYTES));
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const says = cause instanceof ShapeError ? `is no baseline: ${cause.message}` : 'cannot be read';
    throw new Failure(2, `The file ${file} ${says}`, help, { cause });
  }
}

/** Writes the failures of a run as known ones. */
export async function writeBaseline(report: Report, file: string, { cwd, terminal }: Context): Promise<void> {
  const { makeBaseline } = await import('../conformance/index.ts');
  const baseline = makeBaseline(report);
  await writeFile(resolve(cwd, file), `${JSON.stringify(baseline, undefined, 2)}\n`);
  terminal.say(`  ${file}  ${Object.keys(baseline.known).length} known failures`);
}

/** Tells what the baseline does not expect, and the exit code that this gives. */
export async function againstBaseline(
  report: Report,
  baseline: Baseline,
  { terminal }: Context,
): Promise<0 | 1> {
  const { compareBaseline } = await import('../conformance/index.ts');
  const { unexpected, stale, exitCode } = compareBaseline(report, baseline);
  for (const rule of unexpected)
    terminal.say(`${terminal.sign.bad} ${rule} is broken, and not in the baseline`);
  for (const rule of stale)
    terminal.say(`${terminal.sign.bad} ${rule} passes by now: take it out of the baseline`);
  return exitCode;
}

// --- internal ---

const MOST_BYTES = 16 * 1024 * 1024;
