import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/** @throws {CommandFailure} if a symbolic link in the working directory leads the output elsewhere */
export async function requireOwnFolder(flag: string, folder: string, { cwd }: Context): Promise<void> {
  const inner = relative(cwd, resolve(cwd, folder));
  if (inner.startsWith('..') || isAbsolute(inner)) return;
  let place = cwd;
  for (const segment of inner.split(sep).filter((part) => part !== '')) {
    place = join(place, segment);
    const stats = await lstat(place).catch(() => undefined);
    if (stats === undefined) return;
    if (!stats.isSymbolicLink()) continue;
    const target = await realpath(place).catch(() => place);
    const isWithin = !relative(await realpath(cwd), target).startsWith('..') && target !== place;
    if (isWithin) continue;
    throw new CommandFailure(
      2,
      `${folder} is behind a symbolic link that leads out of this folder, to ${target}`,
      [`to write there, name that folder: ${flag} ${target}`, 'nothing was changed'],
    );
  }
}
