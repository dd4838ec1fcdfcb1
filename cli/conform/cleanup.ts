import type { Command } from 'commander';
import type { Report, StoredExchange } from '../../conformance/index.ts';
import { shellWord, visible } from '../../contract/index.ts';
import { makeCommand } from '../command-line.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { addNetworkOptions } from '../network/network-options.ts';
import { addRecordedOptions, withRecorded } from './recorded-requests.ts';
import type { RecordedOptions, RecordedRequests } from './recorded-requests.ts';
import { readReport, reportFolder } from './report-file.ts';

type Left = NonNullable<Report['left']>[number];

/** Takes back what a run left on the server, after an interruption for instance. */
export function cleanupCommand(context: Context): Command {
  const command = makeCommand('cleanup', context.terminal)
    .description('remove what a run made and left on the server')
    .argument('<report>', `a report.json or its folder; also searched for in ${reportFolder}/`);
  return addNetworkOptions(addRecordedOptions(command)).action(
    async (file: string, options: RecordedOptions) => {
      const report = await readReport(file, context);
      const { left = [] } = report;
      const { terminal } = context;
      if (left.length === 0) {
        terminal.result(`${terminal.sign.good} the run left nothing on the server`);
        return;
      }
      const named = { command: `cleanup ${shellWord(file)}`, about: 'What the run made' };
      await withRecorded(report, named, options, context, (requests) => removeAll(report, requests, context));
    },
  );
}

// --- internal ---

async function removeAll(
  report: Report,
  requests: RecordedRequests,
  { terminal, exit }: Context,
): Promise<void> {
  const { left = [] } = report;
  let gone = 0;
  // The newest first: what is below another thing was made after it.
  for (const thing of left.toReversed()) {
    const why = await whyStillThere(report, thing, requests);
    const name = visible(thing.address ?? `what ${thing.operation} made in exchange ${thing.exchange}`);
    if (why === undefined) gone += 1;
    terminal.result(
      why === undefined
        ? `${terminal.sign.good} ${name} is gone`
        : `${terminal.sign.warning} ${name} is still there: ${visible(why)}`,
    );
  }
  terminal.result(`  ${gone} of ${left.length} ${left.length === 1 ? 'thing is' : 'things are'} gone`);
  if (gone < left.length) exit(1);
}

/** What keeps a thing on the server; `undefined` if it is gone. */
async function whyStillThere(
  { exchanges }: Report,
  { api, exchange: id, removal, why }: Left,
  { send }: RecordedRequests,
): Promise<string | undefined> {
  if (removal === undefined) return why;
  const { mayTakeBack } = await import('../../conformance/index.ts');
  if (!mayTakeBack(api, removal))
    throw new CommandFailure(
      2,
      `The report removes something by ${visible(removal.method)}, which removes nothing`,
      ['it was not written by this version of tallystick: nothing more was sent'],
    );
  const made = exchanges.find((one) => one.id === id);
  const exchange: StoredExchange = {
    ...{ id, api, scenario: made?.scenario ?? '', startedAtMs: 0, durationMs: 0 },
    ...{ request: removal, answer: undefined, failure: undefined },
  };
  const { answer, failure } = (await send(exchange)).now;
  if (answer === undefined) return `no response: ${failure ?? 'unknown'}`;
  if ([404, 410].includes(answer.status)) return undefined;
  const answered = `${removal.method} answered ${answer.status}`;
  if (!isSuccess(answer)) return answered;
  if (removal.method !== 'DELETE') return undefined;
  // A server may answer and keep it, or keep it with another state.
  const shown = (await send({ ...exchange, request: { ...removal, method: 'GET', body: undefined } })).now;
  return shown.answer !== undefined && isSuccess(shown.answer)
    ? `${answered}, and GET still shows it`
    : undefined;
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}
