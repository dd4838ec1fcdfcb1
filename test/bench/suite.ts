import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram, startServer, type Server } from './measure.ts';
import { alone, kilobytes, megabytes, milliseconds, type Row } from './rows.ts';
import { bin, ourMock, peer } from './subjects.ts';

/** How long the suite takes, and what memory, on the mock and on a server whose answers do not end. */
export async function suite(scratch: string): Promise<readonly Row[]> {
  const mock = await ourMock(['--quiet', '--deadline', '2s']);
  const flood = await startServer([peer('flood')], { path: '/', headers: { 'X-Probe': 'yes' } });
  return [
    alone('suite over loopback on the mock', await judged(mock, join(scratch, 'mock')), { bar: '3 s' }),
    alone('suite on a server whose answers do not end', await judged(flood, join(scratch, 'flood'))),
  ];
}

// --- internal ---

async function judged(server: Server, report: string): Promise<string> {
  const ended = await runProgram([
    bin,
    'conform',
    server.url,
    ...['--allow', 'negatives,billed', '--report', report],
  ]);
  await server.stop();
  const files = await readdir(report);
  const bytes = await Promise.all(files.map(async (name) => (await stat(join(report, name))).size));
  const reports = bytes.reduce((sum, one) => sum + one, 0);
  return `${milliseconds(ended.milliseconds)}, ${megabytes(ended.largestBytes)}, reports ${kilobytes(reports)}`;
}
