import { relative } from 'node:path';
import { CommandFailure } from '../failure.ts';

/**
 * The message for a refusal of the file system: a folder that cannot be written, a file where a
 * folder is needed, a full disk. `undefined` for every other error.
 */
export function fileFailure(error: unknown, cwd: string): CommandFailure | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code = '', path, dest, syscall = '' } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const known = reasons[code];
  if (known === undefined || path === undefined || syscall.startsWith('spawn')) return undefined;
  const shown = relative(cwd, dest ?? path) || '.';
  return new CommandFailure(2, `${shown}: ${known.reason} (${code})`, [known.help], { cause: error });
}

// --- internal ---

const DENIED = { reason: 'permission denied', help: 'check the permissions of the file and its folder' };

const reasons: Readonly<Record<string, { readonly reason: string; readonly help: string }>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: { reason: 'the file system is read-only', help: 'choose another folder' },
  ENOSPC: { reason: 'no space left on the device', help: 'free some space, or choose another folder' },
  ENOENT: { reason: 'no such file or folder', help: 'check the path, and create its folder first' },
  ENOTDIR: { reason: 'a part of the path is a file, not a folder', help: 'check the path' },
  EISDIR: { reason: 'it is a folder, not a file', help: 'give the path of a file' },
  EEXIST: { reason: 'it exists already, and is not a folder', help: 'check the path, or remove the file' },
  ELOOP: { reason: 'it is a symbolic link to itself', help: 'correct the link' },
  ENAMETOOLONG: { reason: 'the name is too long', help: 'choose a shorter name' },
};
