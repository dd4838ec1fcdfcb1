import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Baseline, Report } from '../conformance/index.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** Known failures of a server; `undefined` where no file is named. */
export async function readBaseline(
  file: string | undefined,
  { cwd }: Context,
): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  try {
    const value = JSON.parse(await readFile(resolve(cwd, file), 'utf8')) as Partial<Baseline> | null;
    if (typeof value?.known === 'object') return { known: value.known };
  } catch (cause) {
    throw new Failure(2, `The baseline ${file} cannot be read`, [`make one: --write-baseline ${file}`], {
      cause,
    });
  }
  throw new Failure(2, `${file} is no baseline: it has no member "known"`, [
    `make one: --write-baseline ${file}`,
  ]);
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
