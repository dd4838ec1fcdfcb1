import type { RunningMock } from '../../mock/index.ts';
import type { Context } from '../context.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { FileWatch } from '../files/file-watch.ts';
import { problemsOf, readDocuments, type MockDocuments } from './documents.ts';

/**
 * Reloads documents when one of their files has changed: the document, its behaviour sheet, or a file that it
 * refers to. An invalid version is reported in the terminal and by the control API, and the last valid one
 * stays in service. The returned function ends the watch.
 *
 * @param files the files of the documents that are served now
 * @param since the start of reading them, in epoch milliseconds
 */
export async function watchDocuments(
  documents: MockDocuments,
  { files, since }: { readonly files: readonly string[]; readonly since: number },
  running: Pick<RunningMock, 'reload' | 'reloads'>,
  context: Pick<Context, 'cwd' | 'terminal'>,
): Promise<() => Promise<void>> {
  const { say, sign } = context.terminal;
  const named = [...documents.foreign, ...documents.copies].map(({ document }) => document);
  let good = files;
  const refused = (problems: readonly string[]): void => {
    running.reloads.tell({ ok: false, documents: named, problems });
    say('   the mock still serves the last valid version');
  };
  const watch = new FileWatch(async () => {
    const began = Date.now();
    const read = await readDocuments(documents, context);
    printDiagnostics(read.diagnostics, context);
    if (read.ok) {
      good = read.files;
      try {
        await running.reload(read.foreign, read.own);
        running.reloads.tell({ ok: true, documents: named, problems: [] });
        say(`${sign.good} ${named.join(', ')} changed and was reloaded`);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        say(`${sign.bad} ${named.join(', ')} cannot be served: ${message}`);
        refused([message]);
      }
    } else {
      say(`${sign.bad} ${read.broken.join(', ')} is not valid`);
      refused(problemsOf(read.diagnostics));
    }
    // A change to a file of the last valid version can repair an invalid version.
    await watch.watch([...new Set([...read.files, ...good])], began);
  });
  if (named.length > 0) await watch.watch(files, since);
  return () => watch.close();
}
