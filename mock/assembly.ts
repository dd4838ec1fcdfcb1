import { loadOwnContract, overrideMisfit } from '../contract/index.ts';
import type { Contract } from '../contract/model.ts';
import { secrecyOf, type SecrecyFacts } from '../contract/secrecy/index.ts';
import { emptyAnswer, toReply } from './call/answer.ts';
import type { MockedApi } from './api.ts';
import { ACCOUNTS, modules } from './apis/index.ts';
import type { ModuleParts } from './apis/module.ts';
import { assumptionsOf, type AssumptionOverrides } from './assumptions.ts';
import type { Clock } from './state/clock.ts';
import type { ScenarioSteering } from './scenarios/forced-scenarios.ts';
import { cors, type Cors } from './call/cors.ts';
import type { Deviation } from './deviations/deviation.ts';
import type { SentReply } from './call/exchange.ts';
import type { Ids } from './state/ids.ts';
import type { RecordChange } from './state/durable-state.ts';
import { foreignApi } from './enacted/foreign.ts';
import { basePathsOf } from './call/mount.ts';
import { formReader } from './call/form-reader.ts';
import { withJudgedBodies } from './call/judged-bodies.ts';
import { offersDeclared, offersHeaders } from './call/declared.ts';
import { requirePolicy } from './call/facts.ts';
import { oddAnswers, trickle } from './call/odd-answers.ts';
import type { MockOptions } from './options.ts';
import { moduleBehaviours } from './own-module.ts';
import { example, type ApiWithEngine } from './call/pipeline.ts';
import { forgetSchemas } from './prism/memory.ts';
import { prismEngine } from './prism/engine.ts';

/** Everything that a loaded mock currently serves. Its documents can be replaced. */
export interface Assembly extends Served {
  /**
   * Replaces the user's documents, and the copies of built-in contracts. Built-in contracts keep their state.
   * If it rejects, nothing has changed.
   */
  readonly reload: (foreign: readonly Contract[], own?: readonly Contract[]) => Promise<void>;
}

/** The served APIs, by the documents as they were read. */
interface Served {
  readonly apis: readonly ApiWithEngine[];
  readonly cors: Cors;
  /** The longest request body, in bytes. */
  readonly maximumBody: number;
  /** The longest body that is read at a path, in bytes. */
  readonly longestBody: (path: string) => number;
  /** The answer to bytes that are not an HTTP request. */
  readonly unreadable: (status: number) => SentReply;
  readonly secrecy: SecrecyFacts;
}

/** Reads the contracts, loads Prism and puts behaviours together. */
export async function assemble(
  options: MockOptions,
  clock: Clock,
  ids: Ids,
  steering: ScenarioSteering,
  keep: RecordChange | undefined,
  deviationsOf: (api: string) => readonly Deviation[],
): Promise<Assembly> {
  const names = options.apis ?? (options.contracts === undefined ? SERVED : []);
  const copies = (options.ownContracts ?? []).map(({ name }) => name);
  const read = (contracts: readonly Contract[]): Promise<Contract[]> =>
    Promise.all(
      names.map(async (name) => contracts.find((own) => own.name === name) ?? (await loadOwnContract(name))),
    );
  const parts = { options, clock, ids, steering, keep, deviationsOf };
  let own = await read(options.ownContracts ?? []);
  await checkOverrides(options.assumptions ?? {}, own);
  let served = await serveAll(own, options.contracts ?? [], parts);
  return {
    get apis() {
      return served.apis;
    },
    get cors() {
      return served.cors;
    },
    get maximumBody() {
      return served.maximumBody;
    },
    get secrecy() {
      return served.secrecy;
    },
    longestBody: (path) => served.longestBody(path),
    unreadable: (status) => served.unreadable(status),
    async reload(foreign, changed = []) {
      const next = await read([...changed, ...own.filter(({ name }) => copies.includes(name))]);
      const made = await serveAll(next, foreign, parts);
      for (const api of made.apis) {
        const earlier = served.apis.find(({ contract }) => contract.name === api.contract.name);
        if (earlier !== undefined) api.restoreFrom?.(earlier);
      }
      own = next;
      served = made;
      forgetSchemas();
    },
  };
}

// --- internal ---

/** The parts that do not change with a document. */
type Lasting = Pick<ModuleParts, 'options' | 'clock' | 'ids' | 'steering' | 'keep'> & {
  readonly deviationsOf: (api: string) => readonly Deviation[];
};

type Parts = Lasting & Omit<ModuleParts, 'deviations'>;

/**
 * Points of contracts that are not served are accepted too, because one settings file serves several mocks.
 *
 * @throws {RangeError} for an invalid override
 */
async function checkOverrides(overrides: AssumptionOverrides, own: readonly Contract[]): Promise<void> {
  if (Object.keys(overrides).length === 0) return;
  const others = SERVED.filter((name) => own.every((contract) => contract.name !== name));
  const contracts = [...own, ...(await Promise.all(others.map((name) => loadOwnContract(name))))];
  const points = contracts.flatMap(({ sheet }) => sheet?.unspecified ?? []);
  const misfit = await overrideMisfit(points, overrides);
  if (misfit !== undefined) throw new RangeError(`assumptions${misfit.pointer}: ${misfit.message}`);
}

async function serveAll(
  own: readonly Contract[],
  foreign: readonly Contract[],
  lasting: Lasting,
): Promise<Served> {
  const { options } = lasting;
  const accounts = own.find(({ name }) => name === ACCOUNTS) ?? (await loadOwnContract(ACCOUNTS));
  const { keyPrefix } = requirePolicy(accounts, 'credentials');
  const names = own.map(({ name }) => name);
  const odd = options.profile === 'legal-but-odd' ? modules.map((module) => module.odd) : [];
  const parts: Parts = {
    ...lasting,
    names,
    assume: assumptionsOf(own, ...odd, options.assumptions ?? {}),
    keyPrefix,
  };
  const ours = own.map((contract) => ownApi(contract, parts));
  const { bodyBytes: maximumBody, preflightSeconds: maxAgeSeconds } =
    ours.find(({ limits }) => limits !== undefined)?.limits ?? DEFAULT_LIMITS;
  const { clock, steering, keep } = lasting;
  const { deadlineMs, callsInFlight } = options;
  const { defaults: given = {}, strict = false } = options.answers ?? {};
  const defaults = { ...(options.seed === undefined ? {} : { seed: options.seed }), ...given };
  const enacting = {
    ...{ clock, steering, keep, deadlineMs, callsInFlight },
    bodyBytes: maximumBody,
    answers: { defaults, strict },
  };
  const made = [...ours];
  for (const contract of foreign) {
    if (contract.sheet === undefined)
      made.push(foreignApi(contract, { clock, steering }, { defaults, strict }));
    else {
      // The engine and its judge are loaded only for a contract with a sheet.
      const { enactedApi } = await import('./enacted/api.ts');
      made.push(enactedApi(contract, { ...enacting, deviations: lasting.deviationsOf(contract.name) }));
    }
  }
  if (made.length === 0) throw new Error('a mock needs at least one contract to serve');
  const apis = await Promise.all(made.map((api) => serve(api, parts)));
  return {
    apis,
    cors: cors(options.cors ?? 'loopback', { maxAgeSeconds, cookies: made.some(usesCookies) }),
    maximumBody,
    longestBody: (path) => Math.max(maximumBody, ...made.map((api) => api.beside?.(path)?.longestBody ?? 0)),
    unreadable: (status) => {
      const answer = made
        .find((api) => api.unreadable !== undefined)
        ?.unreadable?.(lasting.ids.uuid('call'), status);
      return toReply(answer ?? emptyAnswer(status), { withoutBody: false });
    },
    secrecy: secrecyOfAll(made),
  };
}

/** In requests to any API: a client may call the wrong one. */
function secrecyOfAll(apis: readonly MockedApi[]): SecrecyFacts {
  const facts = secrecyOf(apis.map(({ contract }) => contract));
  const more = apis.flatMap(({ secretMembers = [] }) => secretMembers.map((name) => name.toLowerCase()));
  return { ...facts, members: new Set([...(facts.members ?? []), ...more]) };
}

/** Whether the document of an API declares a credential in a cookie. */
function usesCookies({ contract }: Pick<MockedApi, 'contract'>): boolean {
  const schemes = contract.operations.flatMap(({ security }) => security).flatMap((each) => each.schemes);
  return schemes.some((scheme) => scheme.type === 'apiKey' && scheme.in === 'cookie');
}

const SERVED = modules.map(({ name }) => name);

/** The default if no served API has a sheet that states it. */
const DEFAULT_LIMITS = { bodyBytes: 10 * 2 ** 20, preflightSeconds: 600 };

function ownApi(contract: Contract, parts: Parts): MockedApi {
  const module = modules.find(({ name }) => name === contract.name);
  if (module === undefined) throw new Error(`the mock has no behaviours for ${contract.name}`);
  return module.make(contract, { ...parts, deviations: parts.deviationsOf(contract.name) });
}

async function serve(api: MockedApi, { options, clock, deviationsOf }: Parts): Promise<ApiWithEngine> {
  const prism = prismEngine(api.contract, options);
  const engine = api.answers === undefined ? prism : withJudgedBodies(prism, api.contract);
  const operations = new Map(api.contract.operations.map((operation) => [operation.id, operation]));
  return {
    ...api,
    engine,
    operations,
    ...(api.answers === undefined
      ? {}
      : { readForm: formReader(api.contract), basePaths: basePathsOf(api.contract) }),
    behaviours: [
      // Contracts of users are always answered from the document.
      api.answers === undefined
        ? offersDeclared({ engine, operations })
        : offersHeaders({ engine, operations }),
      ...moduleBehaviours(api.contract.name, options.modules?.[api.contract.name]),
      ...api.behaviours,
      example({ ...api, engine, operations }),
    ],
    deviations: deviationsOf(api.contract.name),
    ...(options.profile === 'legal-but-odd'
      ? { oddity: oddAnswers(api.isUntouchable), pace: (reply) => trickle(clock, reply) }
      : {}),
  };
}
