import { shellWord, typed } from '../../contract/index.ts';
import { isByTemplate, scenariosOf } from '../exchanges/course.ts';
import { curlLine } from './curl-line.ts';
import type { Report, RuleResult, StoredExchange } from '../verdicts/report.ts';

/** The target of an exchange. */
export function originOf({ api }: Pick<StoredExchange, 'api'>, target: Report['target']): string {
  const { origins = {}, baseUrl } = target;
  const address = Object.hasOwn(origins, api) ? origins[api] : undefined;
  return new URL(address ?? baseUrl).origin;
}

/** The data of a report that the command for repeating one of its rules needs. */
export type Repeatable = Pick<Report, 'target' | 'settings' | 'exchanges' | 'allowed'>;

/**
 * The command that repeats the requests that showed a rule. The address is part of it: the person who runs it
 * decides where the secret may go, and what may be sent.
 *
 * @param place the report, as it is to be typed
 */
export function replayCommand(
  place: string,
  rule: Pick<RuleResult, 'id' | 'exchanges' | 'failures'>,
  report: Repeatable,
): string {
  const { target, settings } = report;
  const allowed = permissionsFor(rule, report);
  return typed(
    [
      `conform replay ${shellWord(place)} ${rule.id} --base-url ${shellWord(target.baseUrl)}`,
      ...(settings?.fixturesFile === undefined ? [] : [`--fixtures ${shellWord(settings.fixturesFile)}`]),
      ...(settings?.contract === undefined ? [] : [`--contract ${shellWord(settings.contract)}`]),
      ...(settings?.overlays ?? []).map((file) => `--overlay ${shellWord(file)}`),
      ...(settings?.only === undefined ? [] : [`--only ${shellWord(settings.only.join(','))}`]),
      ...(settings?.except === undefined ? [] : [`--except ${shellWord(settings.except.join(','))}`]),
      ...(allowed.length === 0 ? [] : [`--allow ${allowed.join(',')}`]),
      ...(target.identity === 'no credential' ? ['--anonymous'] : []),
    ].join(' '),
  );
}

/** The script of a rule, with a slash: a shell would search one without a slash in $PATH. */
export function scriptPath(folder: string | undefined, rule: string): string {
  const place = folder === undefined ? '.' : folder.replace(/(?<!\/)\/+$/, '');
  return shellWord(`${place}/curl/${rule}.sh`);
}

/** How to reproduce a broken rule; `undefined` if the report has no exchange of it. */
export function repeatOf(
  report: Repeatable,
  rule: Pick<RuleResult, 'id' | 'exchanges' | 'failures'>,
): RuleResult['repeat'] {
  const exchange = report.exchanges.find(({ id }) => id === rule.exchanges[0]);
  if (exchange === undefined) return undefined;
  return {
    replay: replayCommand(report.settings?.folder ?? 'report.json', rule, report),
    curl: curlLine(exchange, originOf(exchange, report.target)),
  };
}

// --- internal ---

function permissionsFor(
  rule: Pick<RuleResult, 'exchanges' | 'failures'>,
  { exchanges, settings, allowed }: Repeatable,
): readonly string[] {
  const [deciding = ''] = rule.failures?.[0]?.exchanges ?? rule.exchanges;
  const { scenario = '' } = exchanges.find(({ id }) => id === deciding) ?? {};
  // The scenarios of templates are made for each run.
  if (settings?.contract !== undefined || isByTemplate(scenario)) return allowed;
  return [...new Set(scenariosOf(exchanges, rule).flatMap((one) => one.permissions))];
}
