import { fetchedGenerators } from './fetched.ts';
import type { Server } from './measure.ts';
import { compared, milliseconds, type Row } from './rows.ts';
import { foreign, headers, ourMock, prismServer } from './subjects.ts';

/** Large documents of other projects: how long a mock takes from its start to the first answer. */
export async function documents(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, source, path] of [
    ["Blockfrost's document (YAML, 0.5 MB)", foreign, '/'],
    ["GitHub's document (JSON, 13 MB)", fetchedGenerators()?.large, '/meta'],
  ] as const) {
    const what = `mock, ${name}, start to first answer`;
    if (source === undefined) {
      rows.push({ what, who: '', measured: 'skipped: it could not be fetched' });
      continue;
    }
    const first = { path, headers };
    const ours = await started(() => ourMock([source, '--quiet'], first));
    const theirs = await started(() => prismServer(source, 'silent', first));
    rows.push(
      ...compared(what, ours, [{ name: 'prism CLI', figure: theirs, bar: '2 x', aim: '4 x' }], milliseconds),
    );
  }
  return rows;
}

// --- internal ---

/** The better of two starts: the first one reads its files from the disk. */
async function started(start: () => Promise<Server>): Promise<number> {
  let best = Infinity;
  for (let turn = 0; turn < 2; turn += 1) {
    const server = await start();
    await server.stop();
    best = Math.min(best, server.millisecondsToReady);
  }
  return best;
}
