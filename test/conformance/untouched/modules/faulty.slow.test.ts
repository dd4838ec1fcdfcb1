// @module-tag long
import { expect, test } from 'vitest';
import { jobsOn } from '../../../kill-matrix/settings.ts';
import { judge } from './law.ts';

/** Servers that take more than they should, show less than they should, or hinder what takes a thing back. */
const FAULTS = [
  'registry.publish.403~201',
  'registry.publish.auth-required~201',
  'registry.publish.pat-checked~any-token',
  'registry.publish.version-unique~201-twice',
  'registry.publish.semver~any-text',
  'registry.publish.wrong-types~201',
  'registry.publish.echo-version~bumped',
  'proxy.auth.required~200',
  'proxy.skin.200-shape~no-data',
  'jobs.auth.required~open',
  'jobs.auth.scoped~open',
  'jobs.idem.never-reexecuted~second-job',
  'jobs.idem.duplicate-422~replay',
  'jobs.submit.unknown-class~201',
  'jobs.submit.201~200',
  'jobs.submit.durable~404-at-first',
  'jobs.urls.resolvable~another-job',
  'jobs.read.same-id~other',
  'jobs.cancel.canceling~still-running',
  'jobs.cancel.200~202',
];

test.each(FAULTS)('%s: what was there before a run is as before on a faulty server too', async (fault) => {
  const setting = fault.startsWith('jobs') ? jobsOn({ surface: 'cloud' }) : ({ apis: ['registry'] } as const);
  const { breaches, report } = await judge(setting, 1, { deviations: [fault] });
  expect(breaches).toEqual([]);
  expect(report.summary.fail + report.summary.warn).toBeGreaterThan(0);
});
