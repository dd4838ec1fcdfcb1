import type { ClientExchange } from '../conformance/index.ts';
import type { RunningMock } from '../mock/index.ts';
import type { Context } from './context.ts';
import { loadCarried } from './contracts/own-contracts.ts';
import { ownVersion } from './own-version.ts';
import { writeReports } from './conform/report-files.ts';

/**
 * Records the exchanges of a mock from now on. The returned function prints the verdict on the client, writes
 * its report, and combines the exit code with that of the command that ran the client: 1 if the command
 * succeeded but the client broke a rule.
 */
export function clientJudge(
  { journal, url }: Pick<RunningMock, 'journal' | 'url'>,
  folder: string,
  context: Context,
): (commandsCode: number) => Promise<number> {
  const seen: ClientExchange[] = [];
  const forget = journal.watch((entry) => void seen.push(entry));
  return async (commandsCode) => {
    forget();
    const { exitCode, judgeClient, renderReport } = await import('../conformance/index.ts');
    const contracts = await loadCarried();
    const report = judgeClient(seen, { contracts, baseUrl: url, toolVersion: ownVersion() });
    const { terminal } = context;
    const code = commandsCode === 0 ? exitCode(report) : commandsCode;
    const colours = { colour: terminal.colour.result, ascii: terminal.ascii };
    const shown = { ...colours, folder, verbose: true, exitCode: code };
    terminal.result(renderReport(report, 'text', shown).trimEnd());
    terminal.say(await writeReports(report, folder, context));
    return code;
  };
}
