import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '../../conformance/index.ts';
import { isRecord, typed } from '../../contract/index.ts';
import { readBounded } from '../files/bounded-file.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { parseUserJson } from '../files/user-file.ts';

/** The default folder for reports of `conform`. */
export const reportFolder = 'tallystick-report';

/**
 * Reads a report that `conform` wrote, named by its file or its folder.
 *
 * @throws {CommandFailure} when the report does not exist, or this version cannot read it
 */
export async function readReport(named: string, { cwd }: Context): Promise<Report> {
  const { parseReport, ShapeError } = await import('../../conformance/index.ts');
  const places = [named, join(named, 'report.json'), join(reportFolder, named)];
  const place = places.find((each) => isFile(resolve(cwd, each)));
  if (place === undefined)
    throw new CommandFailure(2, `There is no report ${named}`, [
      `searched for: ${places.join(', ')}`,
      `to make one: ${typed('conform BASE_URL')}`,
    ]);
  const text = await readBounded(resolve(cwd, place), place, MOST_BYTES);
  const help = ['expected the report.json of a run of conform'];
  const value = await parseUserJson(place, text, help);
  const version = isRecord(value) ? value['schemaVersion'] : undefined;
  if (version !== undefined && version !== 1)
    throw new CommandFailure(2, `${place} has version ${JSON.stringify(version)} of the report format`, [
      'this version of tallystick reads version 1: use the version that wrote it',
    ]);
  try {
    return parseReport(text);
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw new CommandFailure(2, `${place} is not a report of tallystick conform: ${cause.message}`, help, {
      cause,
    });
  }
}

// --- internal ---

function isFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isDirectory();
}

/** The limit for a report; those of this version are smaller. */
const MOST_BYTES = 256 * 1024 * 1024;
