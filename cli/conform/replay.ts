import { Option } from 'commander';
import type { Command } from 'commander';
import type { Report, StoredExchange } from '../../conformance/index.ts';
import { visible, shellWord } from '../../contract/index.ts';
import { baseUrlOf } from '../network/base-url.ts';
import { list, listOf, makeCommand } from '../command-line.ts';
import { replayRule, ruleIn } from './replay-rule.ts';
import type { ReplayRuleOptions } from './replay-rule.ts';
import type { Context } from '../context.ts';
import { addNetworkOptions } from '../network/network-options.ts';
import { ownDocument } from '../contracts/judged-contracts.ts';
import { overlayOption } from '../contracts/overlay-option.ts';
import { permissionNames } from './permission-names.ts';
import { addRecordedOptions, trusted, withRecorded } from './recorded-requests.ts';
import type { RecordedOptions } from './recorded-requests.ts';
import { readReport, reportFolder } from './report-file.ts';

interface ReplayCommandOptions extends ReplayRuleOptions, RecordedOptions {
  readonly freshKey?: true;
}

export function replayCommand(context: Context): Command {
  const named = makeCommand('replay', context.terminal)
    .description('run the scenario of a rule again, or send one exchange again, and compare with a report')
    .argument('<report>', `a report.json or its folder; also searched for in ${reportFolder}/`)
    .argument('<what>', 'a rule, such as router.idem.replay, or an exchange, such as x0018');
  const command = addRecordedOptions(named)
    .addOption(new Option('--anonymous', 'for a rule: send no credential').conflicts(['apiKey', 'bearer']))
    .option('--fixtures <file>', 'for a rule: the fixtures of the server')
    .option('--contract <document[,sheet]>', 'for a rule of your own API: its OpenAPI document', ownDocument)
    .addOption(overlayOption())
    .option(
      '--allow <kinds>',
      `for a rule: requests allowed beyond reads: ${permissionNames.join(', ')}`,
      listOf(permissionNames),
    )
    .option('--only <operations>', 'for a rule: call only these operations, by id or tag', list)
    .option('--except <operations>', 'for a rule: call all operations but these, by id or tag', list)
    .option('--fresh-key', 'for an exchange: use a new idempotency key');
  return addNetworkOptions(command).action(
    async (file: string, what: string, options: ReplayCommandOptions) => {
      const report = await readReport(file, context);
      if (/^x\d+$/.test(what)) return replay(report, file, what, options, context);
      const { baseUrl } = report.target;
      const rule = ruleIn(report, what);
      const { replayCommand: commandFor } = await import('../../conformance/index.ts');
      const address = options.baseUrl ?? trusted(baseUrl, what, commandFor(file, rule, report), options);
      return replayRule(report, rule, baseUrlOf(address).href, options, context);
    },
  );
}

// --- internal ---

async function replay(
  report: Report,
  file: string,
  id: string,
  options: ReplayCommandOptions,
  context: Context,
): Promise<void> {
  const { exchangeIn } = await import('../../conformance/index.ts');
  const { sign } = context.terminal;
  const named = { command: `replay ${shellWord(file)} ${id}`, about: id };
  await withRecorded(report, named, options, context, async ({ addressOf, send }) => {
    const exchange = exchangeIn(report, id);
    const { recorded, now: address } = addressOf(exchange);
    const { before, now, same } = await send(
      exchange,
      options.freshKey === undefined ? undefined : crypto.randomUUID(),
    );
    const { method, target, as } = now.request;
    const other = recorded === address.origin ? '' : `, in the report ${recorded}`;
    context.terminal.result(
      [
        `  sent  ${visible(`${method} ${target}`)}`,
        `  to    ${address.origin}${other}, caller: ${visible(as)}`,
        `  then  ${told(before)}`,
        `  now   ${told(now)}`,
        same
          ? `${sign.good} the same status and body as in the report`
          : `${sign.warning} the response differs from the report`,
      ].join('\n'),
    );
  });
}

function told({ answer, failure }: StoredExchange): string {
  if (answer === undefined) return `no response: ${visible(failure ?? 'unknown')}`;
  const text = visible(answer.body?.text ?? '').replace(/ +/g, ' ');
  const unread = answer.unreadable === undefined ? '' : `  (${visible(answer.unreadable)})`;
  return `${answer.status}  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}${unread}`;
}
