import type { Report, RuleReplay, RuleResult } from '../../conformance/index.ts';
import { shellWord, suggest, typed, visible } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { givenCredential, requireCredential } from '../network/given-credential.ts';
import type { CredentialOptions } from '../network/given-credential.ts';
import { networkOf } from '../network/network-options.ts';
import type { NetworkOptions } from '../network/network-options.ts';
import { loadJudged } from '../contracts/judged-contracts.ts';
import type { OwnDocument } from '../contracts/judged-contracts.ts';
import { ownParts } from '../contracts/own-module.ts';
import { ownVersion } from '../own-version.ts';
import type { PermissionName } from './permission-names.ts';
import { tokenFrom } from '../network/token-command.ts';

export interface ReplayRuleOptions extends CredentialOptions, NetworkOptions {
  readonly baseUrl?: string;
  readonly anonymous?: true;
  readonly fixtures?: string;
  readonly contract?: OwnDocument;
  readonly overlay?: readonly string[];
  readonly allow?: readonly PermissionName[];
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/** @throws {CommandFailure} when a report does not have the rule */
export function ruleIn({ rules }: Report, id: string): RuleResult {
  const found = rules.find((rule) => rule.id === id);
  if (found !== undefined) return found;
  const near = suggest(
    id,
    rules.map((rule) => rule.id),
  );
  throw new CommandFailure(
    2,
    `The report has no rule ${id}${near === undefined ? '' : `. Did you mean ${near}?`}`,
    ['give the id of a rule, or that of an exchange such as x0018'],
  );
}

/**
 * Repeats the scenario that judged a rule, and prints the old verdict from the report beside the new one. The
 * exit code is that of the new verdict.
 */
export async function replayRule(
  report: Report,
  rule: RuleResult,
  baseUrl: string,
  options: ReplayRuleOptions,
  context: Context,
): Promise<void> {
  const { conclude, costWords, repeatRule, TargetError, UnknownOperationError } =
    await import('../../conformance/index.ts');
  const { contract: own, overlays = [] } = report.settings ?? {};
  if (own !== undefined && options.contract === undefined)
    throw new CommandFailure(2, 'The report is about an API of your own', [
      `give its document: ${visible([`--contract ${shellWord(own)}`, ...overlays.map((file) => `--overlay ${shellWord(file)}`)].join(' '))}`,
    ]);
  const contracts = await loadJudged({ ...options, api: Object.keys(report.contract) }, context);
  const parts = await ownParts(options, context);
  const { headers, sockets } = await networkOf(options, context);
  const { tokenCommand } = options;
  const token = tokenCommand === undefined ? undefined : await tokenFrom(tokenCommand, context);
  const run = {
    ...{ contracts, baseUrl, headers, sockets, token },
    ...parts,
    credential:
      options.anonymous === true ? undefined : givenCredential(contracts, options, context)?.credential,
    allow: options.allow ?? [],
    ...(options.only === undefined ? {} : { only: options.only }),
    ...(options.except === undefined ? {} : { except: options.except }),
    toolVersion: ownVersion(),
  };
  requireCredential(run, options);
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  try {
    const replay = await repeatRule(report, rule.id, { ...run, signal: stop.signal });
    requireExercised(replay, report, options);
    context.terminal.result(textOf(replay, costWords, context).join('\n'));
    context.exit(conclude(replay.report, { failInconclusive: true }).exitCode);
  } catch (error) {
    if (!(error instanceof TargetError || error instanceof UnknownOperationError)) throw error;
    throw new CommandFailure(2, error.message, [`show the options: ${typed('conform replay --help')}`], {
      cause: error,
    });
  } finally {
    forget();
  }
}

// --- internal ---

/**
 * @throws {CommandFailure} when the repetition lacks a fixture or permission of the first run: without a
 * verdict, nothing can be compared
 */
function requireExercised({ now, report }: RuleReplay, before: Report, options: ReplayRuleOptions): void {
  if (now.verdict !== 'not-exercised' || report.status !== 'judged' || report.findings.length > 0) return;
  const { settings, allowed } = before;
  throw new CommandFailure(2, `${now.id} was not exercised: ${now.reason ?? ''}`, [
    ...(options.fixtures === undefined && settings?.fixturesFile !== undefined
      ? [`the first run had --fixtures ${visible(settings.fixturesFile)}`]
      : []),
    ...(now.missing?.includes('--allow') === true ? [`the first run had --allow ${allowed.join(',')}`] : []),
    ...(now.fixtureLine === undefined ? [] : [`the fixtures file needs ${now.fixtureLine}`]),
  ]);
}

function textOf(
  { before, now, report }: RuleReplay,
  costWords: (isBilled: boolean | undefined) => string,
  { terminal }: Context,
): readonly string[] {
  const { sign } = terminal;
  const { sent, billable = 0, isBilled } = report.requests;
  const costs = billable === 0 ? '' : `, ${billable} of them ${costWords(isBilled)}`;
  const findings = report.findings.map(({ says }) => `${sign.bad} ${visible(says)}`);
  return [
    `  rule  ${now.id}   ${now.level}`,
    `        ${visible(now.says)}`,
    `  to    ${visible(report.target.baseUrl)}   ${sent} ${sent === 1 ? 'request' : 'requests'}${costs}`,
    `  then  ${told(before)}`,
    `  now   ${told(now)}`,
    ...findings,
    conclusionOf(before, now, sign),
  ];
}

function conclusionOf(before: RuleResult, now: RuleResult, sign: Context['terminal']['sign']): string {
  if (now.verdict === before.verdict)
    return `${now.verdict === 'pass' ? sign.good : sign.bad} the same verdict as in the report`;
  const mark = now.verdict === 'pass' ? sign.good : sign.warning;
  return `${mark} the verdict differs from the report`;
}

function told({ verdict, expected, observed, reason }: RuleResult): string {
  const evidence =
    verdict === 'fail' || verdict === 'warn'
      ? `expected ${expected ?? 'otherwise'}; got ${observed ?? 'nothing'}`
      : (observed ?? reason ?? '');
  const text = visible(evidence).replace(/ +/g, ' ');
  return `${verdict.padEnd(13)} ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
}
