import type { Operation } from '../../contract/model.ts';
import type { MockedApi } from '../api.ts';
import { decodeTolerantly } from '../call/front.ts';
import { ControlMistake, type Prices } from './api-control.ts';
import type { Assembly } from '../assembly.ts';
import { clockShape, steerClock } from './clock.ts';
import { collectionRoutes } from './collections.ts';
import { controlDocument } from './document.ts';
import { changeKey, keysOf } from './keys.ts';
import { readChanges } from '../state/changes.ts';
import { asMistake, formed } from './reading.ts';
import { operationOf } from './operations.ts';
import { callersOf, documentOf, referenceOf } from './reference.ts';
import { replayExchange, sendRequest } from './sending.ts';
import type { ControlState, JournalPage } from './shape.ts';
import type { ForcedScenario, ScenarioToForce } from './steering-shape.ts';
import { readSnapshots, removeSnapshot, stepSnapshot, takeSnapshot } from './snapshots.ts';
import { answersQuery } from '../journal/journal-search.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { pathPrefixes } from './path-prefixes.ts';
import { ledgerOf } from '../journal/ledger.ts';
import type { Mock } from '../mock.ts';
import { changeNamespace } from './namespaces.ts';
import type { Namespaces } from '../namespaces.ts';
import { sampleCall } from '../samples/sample-call.ts';
import { toForceForm } from '../scenarios/forced-scenarios.ts';
import { scenarioNamed } from '../scenarios/scenarios.ts';
import { ANY } from '../scenarios/wire-scenarios.ts';
import { listScenarios } from '../scenarios/scenario-listing.ts';

/** A request to the control API: its path after `/control/v1/`, its query, and its body as JSON. */
interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The parts that the control API controls. */
interface ControlTarget {
  readonly mock: Mock;
  readonly assembly: Assembly;
  readonly url: string;
  readonly namespaces: Namespaces;
  /** The available resources; all if absent. */
  readonly only?: readonly string[];
}

type Route = (
  target: ControlTarget,
  request: ControlRequest,
  path: readonly string[],
) => ControlAnswer | Promise<ControlAnswer>;

/** Answers a control request. Mistakes of the caller get 400 with an explanation. Never throws. */
export async function control(target: ControlTarget, request: ControlRequest): Promise<ControlAnswer> {
  const [resource = '', ...path] = request.path.split('/').map(decodeTolerantly);
  const isThere = target.only?.includes(resource) !== false;
  const methods = !isThere
    ? undefined
    : Object.hasOwn(routes, resource)
      ? routes[resource]
      : routesOf(target, resource);
  if (methods === undefined)
    return problem(
      404,
      `/control/v1/${resource} does not exist. Resources: ${resourcesOf(target).join(', ')}.`,
    );
  const route = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (route === undefined)
    return problem(
      405,
      `/control/v1/${resource} does not support this method. Supported: ${Object.keys(methods).join(', ')}.`,
    );
  try {
    return await route(target, request, path);
  } catch (error) {
    if (error instanceof ControlMistake) return problem(error.status, error.message);
    return problem(500, error instanceof Error ? error.message : 'The control API failed.');
  }
}

// --- internal ---

const ok = (body: unknown): ControlAnswer => ({ status: 200, body });
const problem = (status: number, message: string): ControlAnswer => ({ status, body: { error: message } });

const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  state: { GET: (target) => ok(controlState(target)) },
  journal: {
    GET: ({ mock }, { query }, [number]) =>
      ok(number === undefined ? journalPage(mock, query) : journalEntry(mock, number)),
    POST: async (target, { body }, [number, replay]) => {
      if (replay !== 'replay') throw new ControlMistake('POST /control/v1/journal/{number}/replay');
      return ok(await replayExchange(target, Number(number), body));
    },
    // The journal that was cleared last can be restored.
    PUT: ({ mock }) => {
      mock.journal.bringBack();
      return ok(journalPage(mock, new URLSearchParams()));
    },
    DELETE: ({ mock }) => {
      mock.journal.clear();
      return ok({ entries: [] });
    },
  },
  pending: { GET: ({ mock }) => ok({ calls: mock.pending.calls() }) },
  requests: { POST: async (target, { body }) => ok(await sendRequest(target, target.url, body)) },
  clock: {
    GET: ({ mock, assembly }) => ok(clockShape(mock, assembly)),
    POST: async ({ mock, assembly }, { body }) => {
      await steerClock(mock.clock, body);
      return ok(clockShape(mock, assembly));
    },
  },
  scenarios: {
    GET: async ({ mock, assembly }) =>
      ok({ scenarios: await listScenarios(assembly.apis.map(scenariosOf)), forced: mock.scenarios.forced() }),
    POST: ({ mock, assembly }, { body }) => ok({ forced: force(mock, assembly, body) }),
    DELETE: ({ mock }, _request, [name]) => {
      mock.scenarios.clear(name);
      return ok({ forced: mock.scenarios.forced() });
    },
  },
  keys: {
    GET: ({ mock, assembly }) => ok({ keys: keysOf(assembly, mock.journal) }),
    POST: ({ mock, assembly }, _request, [id = '']) => {
      changeKey(assembly, id, 'expire');
      return ok({ keys: keysOf(assembly, mock.journal) });
    },
    DELETE: ({ mock, assembly }, _request, [id]) => {
      const ids = id === undefined ? keysOf(assembly, mock.journal).map((key) => key.id) : [id];
      for (const each of ids) changeKey(assembly, each, 'forget');
      return ok({ keys: keysOf(assembly, mock.journal) });
    },
  },
  ledger: {
    GET: ({ mock, assembly }) => ok(ledgerOf(mock.journal.outlines(), pricesOf(assembly))),
  },
  callers: { GET: ({ mock, assembly }) => ok({ callers: callersOf(assembly, mock.journal) }) },
  reference: { GET: ({ assembly }) => ok(referenceOf(assembly)) },
  operations: {
    GET: ({ assembly }, _request, [api = '', id = '']) => ok(operationOf(assembly, api, id)),
  },
  openapi: {
    GET: async ({ assembly }, _request, [name]) =>
      ok(name === undefined ? await controlDocument() : documentOf(assembly, name)),
  },
  dispatches: { GET: ({ mock }) => ok(dispatchesOf(mock)) },
  fixtures: { GET: (target) => ok(fixturesOf(target)) },
  assumptions: {
    GET: ({ assembly }) =>
      ok({ assumptions: referenceOf(assembly).apis.flatMap(({ unspecified }) => unspecified) }),
  },
  snapshot: {
    GET: ({ mock }) => ok({ changes: mock.snapshot() }),
    PUT: ({ mock }, { body }) => {
      const form = { members: { changes: 'anything', keep: 'boolean' } } as const;
      const { changes = null, keep = false } = formed(body, form);
      const known = asMistake(() => readChanges(changes));
      asMistake(() => {
        mock.restore(known, { keep });
      });
      return ok({ restored: known.length });
    },
  },
  snapshots: {
    GET: ({ mock }, _request, [name]) => ok(readSnapshots(mock.snapshots, name)),
    POST: ({ mock }, { body }, [name]) => ok(stepSnapshot(mock.snapshots, name, body)),
    PUT: ({ mock }, { body }, [name]) => ok(takeSnapshot(mock.snapshots, name, body)),
    DELETE: ({ mock }, _request, [name]) => ok(removeSnapshot(mock.snapshots, name)),
  },
  namespaces: {
    GET: ({ namespaces }) => ok({ namespaces: namespaces.names() }),
    PUT: async ({ namespaces }, { body }, [name]) =>
      ok(await changeNamespace(namespaces, 'make', name, body)),
    DELETE: async ({ namespaces }, { body }, [name]) =>
      ok(await changeNamespace(namespaces, 'remove', name, body)),
  },
  reset: {
    POST: ({ mock }) => {
      mock.reset();
      return ok({ reset: true });
    },
  },
};

/** The resources that the APIs add. */
function routesOf({ assembly }: ControlTarget, name: string): Readonly<Record<string, Route>> | undefined {
  const resources = assembly.apis.flatMap(({ control: steered }) =>
    steered === undefined ? [] : [steered.resources],
  );
  const methods =
    name === COLLECTIONS
      ? collectionRoutes(assembly)
      : resources.find((each) => Object.hasOwn(each, name))?.[name];
  if (methods === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(methods).map(([method, route]): [string, Route] => [
      method,
      (_target, { body }, path) => ok(route(path, body)),
    ]),
  );
}

function resourcesOf({ assembly, only }: ControlTarget): readonly string[] {
  if (only !== undefined) return only;
  const added = assembly.apis.flatMap(({ control: steered }) => Object.keys(steered?.resources ?? {}));
  const kept = collectionRoutes(assembly) === undefined ? [] : [COLLECTIONS];
  const always = Object.keys(routes).filter((name) => name !== 'keys' && name !== 'callers');
  const keys = assembly.apis.some(({ control: steered }) => steered?.keys !== undefined) ? ['keys'] : [];
  // APIs with state distinguish callers.
  const callers = assembly.apis.some(({ control: steered }) => steered !== undefined) ? ['callers'] : [];
  return [...always, ...keys, ...callers, ...added, ...kept];
}

const COLLECTIONS = 'collections';

/** The `api` of the scenarios that work only on one API. */
function scenariosOf({
  contract,
  scenarios = contract.name,
}: Pick<MockedApi, 'contract' | 'scenarios'>): string {
  return scenarios;
}

/** An overview of the mock. */
export function controlState(target: ControlTarget): ControlState {
  const { mock, assembly, url } = target;
  const sample = sampleCall(assembly);
  return {
    url,
    namespaces: target.namespaces.names(),
    apis: assembly.apis.map(
      ({ contract, deviations, control: steered, mountPrefix, besidePrefixes = [], credential, ...api }) => ({
        name: contract.name,
        title: contract.title,
        version: contract.version,
        operations: contract.operations.map(({ id, method, path, responses }) => ({
          ...{ id, method, path },
          ...(responses.some(answersHtml) ? { answersHtml: true as const } : {}),
        })),
        besidePrefixes,
        prefixes: [...new Set([...pathPrefixes(contract, mountPrefix), ...besidePrefixes])],
        credential,
        scenarios: scenariosOf({ contract, ...api }),
        deviations: deviations.map(({ id }) => id),
        ...(steered === undefined ? {} : { holds: steered.state() }),
      }),
    ),
    clock: clockShape(mock, assembly),
    latest: mock.journal.latest,
    resources: resourcesOf(target),
    pending: mock.pending.calls(),
    ...(mock.reloads.latest === undefined ? {} : { reload: mock.reloads.latest }),
    ...(sample === undefined ? {} : { sample }),
  };
}

function answersHtml({ content }: Operation['responses'][number]): boolean {
  return content.some(({ mediaType }) => /^text\/html\b/i.test(mediaType));
}

/** Includes the addresses for the suite, because an API may be mounted below a path. */
function fixturesOf({ mock, assembly, url }: ControlTarget): object {
  const mounted = assembly.apis.flatMap(({ mountPrefix, baseUrlFixture }) =>
    mountPrefix === undefined || baseUrlFixture === undefined
      ? []
      : [[baseUrlFixture, `${url}${mountPrefix}`] as const],
  );
  return { baseUrl: url, ...Object.fromEntries(mounted), ...mock.fixtures() };
}

function journalPage({ journal }: Mock, query: URLSearchParams): JournalPage {
  const since = countIn(query, 'since') ?? 0;
  const limit = countIn(query, 'limit') ?? Infinity;
  const search = query.get('search') ?? '';
  const entries = journal.entries({ since }).filter((entry) => answersQuery(entry, search));
  return { entries: entries.slice(Math.max(0, entries.length - limit)), latest: journal.latest };
}

/** @throws {ControlMistake} for anything but digits */
function countIn(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (!/^\d+$/.test(given))
    throw new ControlMistake(`"${name}" must be a whole number of at least 0, not ${JSON.stringify(given)}.`);
  return Number(given);
}

function journalEntry({ journal }: Mock, number: string): JournalEntry {
  const entry = journal.entry(Number(number));
  if (entry === undefined) throw new ControlMistake(`Exchange ${number} is not in the journal.`, 404);
  return entry;
}

/** Without prices, no call costs anything. */
function pricesOf({ apis }: Assembly): Prices {
  const priced = apis.flatMap(({ control: steered }) => steered?.prices ?? []);
  return priced[0] ?? { centsOf: () => 0, windowMs: Infinity };
}

/** Applies a scenario to the next calls of one caller or of all. */
function force({ scenarios }: Mock, { apis }: Assembly, body: unknown): readonly ForcedScenario[] {
  const wanted = formed(body, toForceForm);
  const { api = ANY, work } = scenarioNamed(wanted.name) ?? {};
  if (api !== ANY && work === undefined && !apis.map(scenariosOf).includes(api))
    throw new ControlMistake(`No API of this mock supports ${wanted.name}, which is for ${api}.`);
  asMistake(() => {
    // The scenario validates the numbers.
    scenarios.force(wanted as ScenarioToForce);
  });
  return scenarios.forced();
}

function dispatchesOf(mock: Mock): unknown {
  const byModel = mock.dispatches();
  return { dispatches: Object.values(byModel).reduce((sum, count) => sum + count, 0), byModel };
}
