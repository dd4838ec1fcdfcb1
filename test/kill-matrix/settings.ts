import type { Transport } from '../../conformance/index.ts';
import type { Clock } from '../../conformance/http/transport.ts';
import type { Contract, OwnContractName } from '../../contract/index.ts';
import type { DeviationListing, MockOptions } from '../../mock/index.ts';

/** How a run is set up; runs that are set up alike are compared. */
export interface Setting {
  readonly apis: readonly OwnContractName[];
  readonly mock?: MockOptions;
  /** What the suite judges by, if not by the contracts of these APIs. */
  readonly by?: readonly Contract[];
  /** Changes the fixtures of the mock before they are read. */
  readonly fixtures?: (fixtures: Record<string, unknown>) => Record<string, unknown>;
  /** The base URL by the fixtures of the mock; if left out, it is the address of the mock. */
  readonly baseUrl?: (fixtures: Record<string, unknown>) => string;
  /** Of the random choices of the suite; default 1. */
  readonly seed?: number;
  /** What lies between the suite and the mock. */
  readonly line?: (inner: Transport, clock: Clock) => Transport;
}

/** Where the mock is in these runs. */
export const address = 'https://mock.example';

export const surfaces = ['cloud', 'self-hosted', 'serverless', 'demo'] as const;

export function jobsOn(jobs: NonNullable<MockOptions['jobs']>): Setting {
  return { apis: ['jobs'], mock: { publicUrl: address, jobs } };
}

/** Where a rule can be shown at all. */
export function settingFor({ id, rule }: Pick<DeviationListing, 'id' | 'rule'>): {
  readonly name: string;
  readonly setting: Setting;
} {
  switch (rule) {
    case 'router.auth.api-key':
      return { name: 'router, called with a JWT', setting: { apis: ['router'], fixtures: calledWithJwt } };
    case 'router.proxy.same-credential':
      return { name: 'router and registry', setting: { apis: ['router', 'registry'] } };
    case 'jobs.auth.self-hosted-static':
      return {
        name: 'jobs, self-hosted with a token',
        setting: jobsOn({ surface: 'self-hosted', staticToken: 'token-of-this-one' }),
      };
  }
  if (rule.startsWith('jobs.')) {
    const surface = surfaceOf(id) ?? surfaceOf(rule) ?? 'cloud';
    return { name: `jobs, ${surface}`, setting: jobsOn({ surface }) };
  }
  const api = rule.startsWith('router.') ? 'router' : 'registry';
  return { name: api, setting: { apis: [api] } };
}

// --- internal ---

type Surface = (typeof surfaces)[number];

/** Rules, and variants of them, that only one kind of surface can show. */
const surfaceBound: Readonly<Record<string, Surface>> = {
  'jobs.urls.mount-prefix': 'serverless',
  'jobs.logs.surface~self-hosted': 'self-hosted',
  'jobs.logs.demo-withheld': 'demo',
  'jobs.logs.not-before-finish': 'serverless',
  'jobs.logs.success-and-failure': 'serverless',
  'jobs.logs.lifetime': 'serverless',
  'jobs.auth.self-hosted-open': 'self-hosted',
  'jobs.auth.demo-open': 'demo',
};

function surfaceOf(name: string): Surface | undefined {
  return surfaceBound[name];
}

/** If the key itself is broken, another caller has to send the other requests. */
function calledWithJwt(fixtures: Record<string, unknown>): Record<string, unknown> {
  const cred = fixtures['cred'] as { readonly jwt: string };
  return { ...fixtures, cred: { ...cred, valid: { header: 'Authorization', value: `Bearer ${cred.jwt}` } } };
}
