import type { Report } from '../verdicts/report.ts';
import { scenarioScript } from './scenario-script.ts';

/**
 * Shell scripts by file name, `router.idem.replay.sh`: each repeats the scenario that showed a broken rule.
 */
export function curlScripts(report: Report): Readonly<Record<string, string>> {
  const scripts = report.rules.flatMap((rule) => {
    const text = rule.repeat === undefined ? undefined : scenarioScript(report, rule);
    return text === undefined ? [] : [[`${rule.id}.sh`, text] as const];
  });
  return Object.fromEntries(scripts);
}
