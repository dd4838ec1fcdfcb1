import { exitCode } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { isExercised } from '../../conformance/verdicts/verdict.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';
import { jobsOn } from '../kill-matrix/settings.ts';
import type { Setting } from '../kill-matrix/settings.ts';
import { changing } from './lines.ts';
import type { Api, Sickness } from './sick-answers.ts';

const settings: Readonly<Record<Api, Setting>> = {
  router: { apis: ['router'] },
  registry: { apis: ['registry'] },
  jobs: jobsOn({ surface: 'serverless' }),
};

const healthy = new Map<Api, Report>();

/**
 * The rules that the faithful server exercises and a sick one does not, where nothing else reports it: the run is as green
 * as before and has seen less.
 */
export async function lostInSilence({ api, holds, change }: Sickness): Promise<readonly string[]> {
  const setting = settings[api];
  const before = healthy.get(api) ?? (await judgeMock(setting));
  healthy.set(api, before);
  const report = await judgeMock({ ...setting, line: (inner) => changing(inner, holds, change) });
  if (exitCode(report) !== 0) return [];
  const exercised = new Set(before.rules.filter(isExercised).map(({ id }) => id));
  return report.rules
    .filter((rule) => exercised.has(rule.id) && !isExercised(rule))
    .map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason ?? ''}`);
}

/** What a server may leave out, so that there is nothing to judge. */
export const legal: Readonly<Record<string, string>> = {
  'publish: no node_version.version': 'no member of a node version is required',
  'publish: no node_version.status': 'no member of a node version is required',
  'publish: no node_version.createdAt': 'no member of a node version is required',
  'read: no urls.*': 'which links a job has is not shown',
};
