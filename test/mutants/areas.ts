import type { Setting } from './judged.ts';

export type Area = 'router' | 'registry' | 'jobs' | 'all';

/** The files of the second server that answer requests, by API. Its fixtures, its switchable faults and its callers are not among them. */
export const filesOf: Readonly<Record<Area, readonly string[]>> = {
  router: [
    'bounds.ts',
    'catalogue.ts',
    'cursors.ts',
    'keys.ts',
    'models.ts',
    'rejections.ts',
    'router.ts',
    'run.ts',
    'schemas.ts',
  ],
  registry: ['proxy.ts', 'registry-fields.ts', 'registry.ts'],
  jobs: ['job-events.ts', 'job-graph.ts', 'job-keys.ts', 'job-store.ts', 'job-view.ts', 'jobs.ts'],
  all: ['answer.ts', 'credentials.ts', 'server.ts'],
};

export const areas = Object.keys(filesOf) as readonly Area[];

/** Where a server with a fault in this area is tried, one after the other, until the fault is noticed. */
export function settingsOf(area: Area): readonly Setting[] {
  switch (area) {
    case 'router':
      return [{ apis: ['router'] }];
    case 'registry':
      return [{ apis: ['registry'] }];
    case 'jobs':
      return [
        { apis: ['jobs'] },
        { apis: ['jobs'], surface: 'cloud' },
        { apis: ['jobs'], surface: 'self-hosted', staticToken: 'token-of-this-one' },
        { apis: ['jobs'], surface: 'demo' },
      ];
    case 'all':
      return [{ apis: ['registry'] }, { apis: ['router'] }, { apis: ['jobs'] }];
  }
}
