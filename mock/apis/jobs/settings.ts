import type { ModuleFlag, ModuleOptions, ModuleSettings } from '../module-settings.ts';
import type { JobsOptions } from './options.ts';

const surfaces: Readonly<Record<string, NonNullable<JobsOptions['surface']>>> = {
  cloud: 'cloud',
  'self-hosted': 'self-hosted',
  serverless: 'serverless',
  'public-demo': 'demo',
};

const flags: readonly ModuleFlag[] = [
  {
    flags: '--surface <name>',
    description: 'where jobs run, which decides about credentials, links and logs',
    choices: Object.keys(surfaces),
    put: (name, options) => {
      const surface = surfaces[name];
      return surface === undefined ? options : withJobs(options, { surface });
    },
  },
  {
    flags: '--static-token <token>',
    description: 'the only bearer token that a self-hosted instance accepts',
    put: (staticToken, options) => withJobs(options, { staticToken }),
  },
  {
    flags: '--mount-prefix <path>',
    description: 'a path before all routes of jobs, such as /deployment/d-42',
    put: (mountPrefix, options) => withJobs(options, { mountPrefix }),
  },
  {
    flags: '--links <form>',
    description: 'the form of the links in a job (default: host-relative)',
    choices: ['host-relative', 'absolute', 'mixed'],
    put: (links, options) => withJobs(options, { links: links as NonNullable<JobsOptions['links']> }),
  },
  {
    flags: '--node-class <names>',
    description: 'more classes that graphs may use, besides those of the mock; any allows all',
    isList: true,
    put: (names, options) => {
      const known = options.jobs?.nodeClasses ?? [];
      const isAny = known === 'any' || names.includes('any');
      return withJobs(options, {
        nodeClasses: isAny ? 'any' : [...known, ...names.map((name) => ({ name }))],
      });
    },
  },
];

export const jobsSettings: ModuleSettings = {
  members: {
    jobs: {
      members: {
        surface: { oneOf: ['cloud', 'self-hosted', 'serverless', 'demo'] },
        staticToken: 'string',
        mountPrefix: 'string',
        links: { oneOf: ['host-relative', 'absolute', 'mixed'] },
        nodeClasses: {
          orWord: 'any',
          listOf: {
            members: {
              name: 'string',
              requires: { listOf: 'string' },
              workMs: 'number',
              secondsInput: 'string',
              makes: { oneOf: ['image', 'text'] },
              previews: 'boolean',
              fails: 'boolean',
            },
            required: ['name'],
          },
        },
        assets: { listOf: { members: { id: 'string', owner: 'string' }, required: ['id'] } },
        slots: 'number',
        queueLimit: 'number',
        queueMs: 'number',
        streamLimit: 'number',
      },
    },
  },
  flags,
};

// --- internal ---

function withJobs(options: ModuleOptions, jobs: JobsOptions): ModuleOptions {
  return { ...options, jobs: { ...options.jobs, ...jobs } };
}
