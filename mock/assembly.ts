import { loadOwnContract, type OwnContractName } from '../contract/index.ts';
import type { Api } from './api.ts';
import { assumptionsOf, type Assume } from './assumptions.ts';
import type { Router } from './behaviours/router/context.ts';
import type { Clock } from './clock.ts';
import { cors, type Cors } from './cors.ts';
import type { Deviation } from './deviations/deviation.ts';
import { foreignApi } from './foreign.ts';
import { defaultModels } from './models.ts';
import { oddity, trickle } from './oddity.ts';
import type { MockOptions } from './options.ts';
import type { ServedApi } from './pipeline.ts';
import { prismEngine } from './prism.ts';
import { routerApi } from './router.ts';

/** Everything that a mock serves, once it is loaded. */
export interface Assembly {
  readonly apis: readonly ServedApi[];
  readonly assume: Assume;
  readonly cors: Cors;
  /** The longest request body, in bytes. */
  readonly maximumBody: number;
  readonly router: Router | undefined;
}

/** Reads the contracts, loads Prism and puts behaviours together. */
export async function assemble(
  options: MockOptions,
  clock: Clock,
  deviationsOf: (api: string) => readonly Deviation[],
): Promise<Assembly> {
  const names = options.apis ?? (options.contracts === undefined ? SERVED : []);
  const own = await Promise.all(names.map(loadOwnContract));
  const assume = assumptionsOf(own, options.assumptions);
  const profile = options.profile ?? 'faithful';
  const models = options.models ?? defaultModels(profile);
  const routers = own
    .filter(({ name }) => name === 'router')
    .map((contract) =>
      routerApi({
        contract,
        models,
        assume,
        clock,
        profile,
        deadlineMs: options.deadlineMs,
        publicUrl: options.publicUrl,
      }),
    );
  const [first] = routers;
  const apis = [...routers, ...(options.contracts ?? []).map(foreignApi)];
  if (apis.length === 0) throw new Error('a mock needs at least one contract to serve');
  const served = await Promise.all(
    apis.map(async (api): Promise<ServedApi> => ({
      ...api,
      engine: await prismEngine(api.contract),
      deviations: deviationsOf(api.contract.name),
      operations: new Map(api.contract.operations.map((operation) => [operation.id, operation])),
      ...(profile === 'legal-but-odd' ? oddWays(api, clock) : {}),
    })),
  );
  return {
    apis: served,
    assume,
    router: first?.router,
    cors: cors(options.cors ?? 'loopback', corsNames(first?.router)),
    maximumBody: first === undefined ? DEFAULT_BODY : assume('A-07').requestBodyBytes,
  };
}

// --- internal ---

const SERVED: readonly OwnContractName[] = ['router'];

/** Where no contract of ours is served, whose sheet would say it. */
const DEFAULT_BODY = 10 * 2 ** 20;
const PREFLIGHT_SECONDS = 600;

function oddWays(api: Api, clock: Clock): Pick<ServedApi, 'oddity' | 'pace'> {
  return { oddity: oddity(api.isUntouchable), pace: (reply) => trickle(clock, reply) };
}

function corsNames(router: Router | undefined): Parameters<typeof cors>[1] {
  const present = (names: readonly (string | undefined)[]): string[] =>
    names.filter((name) => name !== undefined);
  const { headers, buckets, idempotency, credentials } = router?.facts ?? {};
  return {
    requestHeaders: present([
      'Authorization',
      credentials?.keyHeader,
      idempotency?.requestHeader,
      'Content-Type',
      'If-None-Match',
      'Prefer',
    ]),
    responseHeaders: present([
      headers?.requestId,
      buckets?.header,
      idempotency?.replayHeader.name,
      'Retry-After',
      'ETag',
      headers?.spend?.limit,
      headers?.spend?.current,
      headers?.spend?.remaining,
      headers?.credits,
    ]),
    maxAgeSeconds: router?.assume('A-37').maxAgeSeconds ?? PREFLIGHT_SECONDS,
  };
}
