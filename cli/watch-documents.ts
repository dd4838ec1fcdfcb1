import { unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/**
 * Calls back when one of these files has changed. What cannot be used is told, and the last one that could be goes on
 * being served. The returned function ends that.
 *
 * @param reload reads them anew
 */
export function watchDocuments(
  documents: readonly string[],
  reload: () => Promise<void>,
  { cwd, terminal }: Pick<Context, 'cwd' | 'terminal'>,
): () => void {
  const { say, sign } = terminal;
  const paths = documents.map((document) => resolve(cwd, document));
  let last = Promise.resolve();
  const changed = (): void => {
    // One after the other, so that the latest wins.
    last = last.then(reload).then(
      () => {
        say(`${sign.good} ${documents.join(', ')} changed and is served anew`);
      },
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        say(`${sign.bad} ${error.message}`);
        say('   the last one that could be used is still served');
      },
    );
  };
  // By looking, which works on every file system, also in containers.
  for (const path of paths) watchFile(path, { interval: LOOK_EVERY_MS }, changed);
  return () => {
    for (const path of paths) unwatchFile(path, changed);
  };
}

// --- internal ---

const LOOK_EVERY_MS = 500;
