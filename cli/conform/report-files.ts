import { access, appendFile, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Report } from '../../conformance/index.ts';
import type { Context } from '../context.ts';

/** The file name of each format. */
const fileNames: Readonly<Record<string, string>> = {
  json: 'report.json',
  html: 'index.html',
  markdown: 'report.md',
  junit: 'junit.xml',
  sarif: 'report.sarif',
  ndjson: 'events.ndjson',
  har: 'exchanges.har',
  badge: 'badge.json',
};

/** Creates the folder for reports before a run, so that an unwritable folder does not lose a run. */
export async function prepareReports(folder: string, { cwd }: Context): Promise<void> {
  const path = resolve(cwd, folder);
  await mkdir(path, { recursive: true });
  await access(path, constants.W_OK);
}

/** Writes a report into a folder, in every file format. Returns the line that names the files. */
export async function writeReports(
  report: Report,
  folder: string,
  { cwd, environment }: Context,
): Promise<string> {
  const { renderReport, reportFormats } = await import('../../conformance/index.ts');
  await mkdir(resolve(cwd, folder), { recursive: true });
  const written: string[] = [];
  for (const format of reportFormats) {
    const name = fileNames[format];
    if (name === undefined) continue;
    await writeWhole(join(resolve(cwd, folder), name), renderReport(report, format));
    written.push(name);
  }
  if (await writeCurl(report, resolve(cwd, folder))) written.push('curl/');
  // GitHub shows this file beside the run of a workflow.
  const summary = environment['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '')
    await appendFile(resolve(cwd, summary), `${renderReport(report, 'markdown')}\n`);
  return `  ${folder}/  ${written.join('  ')}  (secrets masked)`;
}

// --- internal ---

/** A file gets its name when it is complete, so that no reader sees a partial file. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.partial`;
  await writeFile(partial, text);
  await rename(partial, file);
}

/** A script for every exchange that shows a broken rule; those of an earlier run are removed. */
async function writeCurl(report: Report, folder: string): Promise<boolean> {
  const { curlScripts } = await import('../../conformance/index.ts');
  const scripts = Object.entries(curlScripts(report));
  const place = join(folder, 'curl');
  await rm(place, { recursive: true, force: true });
  if (scripts.length === 0) return false;
  await mkdir(place);
  for (const [name, text] of scripts) await writeFile(join(place, name), text, { mode: 0o755 });
  return true;
}
