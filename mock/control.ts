import { ControlMistake } from './api-control.ts';
import type { Assembly } from './assembly.ts';
import { callerName } from './caller.ts';
import { clockShape, steerClock } from './control-clock.ts';
import { changeKey, keysOf } from './control-keys.ts';
import { readChanges } from './changes.ts';
import { asMistake, membersOf, recordOf } from './control-reading.ts';
import { callersOf, documentOf, referenceOf } from './control-reference.ts';
import { replayExchange, sendRequest } from './control-sending.ts';
import type { ControlState, JournalPage } from './control-shape.ts';
import { readSnapshots, removeSnapshot, stepSnapshot, takeSnapshot } from './control-snapshots.ts';
import { answersQuery } from './journal-search.ts';
import type { JournalEntry } from './journal.ts';
import { durationMs } from '../contract/policies/duration.ts';
import { ledgerOf } from './ledger.ts';
import { modelIdOf, type Model } from './apis/router/catalogue.ts';
import type { Mock } from './mock.ts';
import type { ForcedScenario } from './forced-scenarios.ts';
import { sampleCall } from './sample-call.ts';
import { listScenarios } from './scenario-listing.ts';

/** A request to the control API: its path behind `/control/v1/`, its query, and its body as JSON. */
export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What the control API steers. */
export interface ControlTarget {
  readonly mock: Mock;
  readonly assembly: Assembly;
  readonly url: string;
}

type Route = (
  target: ControlTarget,
  request: ControlRequest,
  path: readonly string[],
) => ControlAnswer | Promise<ControlAnswer>;

/** Answers a control request. Mistakes of the caller are answered with 400 and words; nothing is thrown. */
export async function control(target: ControlTarget, request: ControlRequest): Promise<ControlAnswer> {
  const [resource = '', ...path] = request.path.split('/').map(decodeURIComponentSafely);
  const methods = Object.hasOwn(routes, resource) ? routes[resource] : routesOf(target, resource);
  if (methods === undefined)
    return problem(404, `There is no /control/v1/${resource}. There are: ${resourcesOf(target).join(', ')}.`);
  const route = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (route === undefined)
    return problem(405, `/control/v1/${resource} takes ${Object.keys(methods).join(', ')}.`);
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
    POST: async ({ mock, assembly }, { body }, [number, replay]) => {
      if (replay !== 'replay') throw new ControlMistake('POST /control/v1/journal/{number}/replay');
      return ok(await replayExchange(mock, assembly, Number(number), body));
    },
    DELETE: ({ mock }) => {
      mock.journal.clear();
      return ok({ entries: [] });
    },
  },
  pending: { GET: ({ mock }) => ok({ calls: mock.pending.calls() }) },
  requests: { POST: async ({ mock }, { body }) => ok(await sendRequest(mock, body)) },
  clock: {
    GET: ({ mock, assembly }) => ok(clockShape(mock, assembly)),
    POST: async ({ mock, assembly }, { body }) => {
      await steerClock(mock.clock, body);
      return ok(clockShape(mock, assembly));
    },
  },
  scenarios: {
    GET: async ({ mock }) => ok({ scenarios: await listScenarios(), forced: mock.scenarios.forced() }),
    POST: ({ mock }, { body }) => ok({ forced: force(mock, body) }),
    DELETE: ({ mock }, _request, [name]) => {
      mock.scenarios.clear(name);
      return ok({ forced: mock.scenarios.forced() });
    },
  },
  models: {
    GET: (target) => ok({ models: routerState(target).catalogue.all().map(withId) }),
    PUT: (target, { body }, path) => {
      const model = readModel(body, path);
      routerState(target).catalogue.put(model);
      return ok(withId(model));
    },
    PATCH: (target, { body }, path) => {
      const { catalogue } = routerState(target);
      const known = catalogue.get(path.join('/'));
      if (known === undefined) throw new ControlMistake(`There is no model ${path.join('/')}.`, 404);
      const { provider: _named, model: _too, effect: _kept, ...changeable } = known;
      const model = { ...known, ...readModel({ ...changeable, ...recordOf(body) }, path) };
      catalogue.put(model);
      return ok(withId(model));
    },
    POST: (target, { body }) => {
      if (membersOf(body, ['do']).do !== 'rebuild') throw new ControlMistake('"do" is rebuild.');
      routerState(target).cursors.renew();
      return ok({ rebuilt: true });
    },
    DELETE: (target, _request, path) => {
      if (!routerState(target).catalogue.remove(path.join('/')))
        throw new ControlMistake(`There is no model ${path.join('/')}.`, 404);
      return ok({ removed: path.join('/') });
    },
  },
  keys: {
    GET: ({ mock, assembly }) => ok({ keys: keysOf(assembly, mock.journal) }),
    POST: ({ mock, assembly }, _request, [id = '']) => {
      changeKey(assembly, id, 'expire', mock.clock.now());
      return ok({ keys: keysOf(assembly, mock.journal) });
    },
    DELETE: ({ mock, assembly }, _request, [id]) => {
      const ids = id === undefined ? keysOf(assembly, mock.journal).map((key) => key.id) : [id];
      for (const each of ids) changeKey(assembly, each, 'forget', mock.clock.now());
      return ok({ keys: keysOf(assembly, mock.journal) });
    },
  },
  ledger: {
    GET: ({ mock, assembly }) =>
      ok(ledgerOf(mock.journal.outlines(), centsIn(assembly), keyWindowMs(assembly))),
  },
  callers: { GET: ({ mock, assembly }) => ok({ callers: callersOf(assembly, mock.journal) }) },
  reference: { GET: ({ assembly }) => ok(referenceOf(assembly)) },
  openapi: { GET: ({ assembly }, _request, [name = '']) => ok(documentOf(assembly, name)) },
  dispatches: { GET: ({ mock }) => ok(dispatchesOf(mock)) },
  fixtures: { GET: (target) => ok(fixturesOf(target)) },
  assumptions: {
    GET: ({ assembly }) =>
      ok({ assumptions: referenceOf(assembly).apis.flatMap(({ unspecified }) => unspecified) }),
  },
  snapshot: {
    GET: ({ mock }) => ok({ changes: mock.snapshot() }),
    PUT: ({ mock }, { body }) => {
      const { changes = null } = membersOf(body, ['changes']);
      const known = asMistake(() => readChanges(changes));
      asMistake(() => {
        mock.restore(known);
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
  reset: {
    POST: ({ mock }) => {
      mock.reset();
      return ok({ reset: true });
    },
  },
};

/** What an API adds under its own name. */
function routesOf({ assembly }: ControlTarget, name: string): Readonly<Record<string, Route>> | undefined {
  const steered = assembly.apis.find(({ contract }) => contract.name === name)?.control;
  if (steered === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(steered.routes).map(([method, route]): [string, Route] => [
      method,
      (_target, { body }, path) => ok(route(path, body)),
    ]),
  );
}

function resourcesOf({ assembly }: ControlTarget): string[] {
  const added = assembly.apis.filter(({ control: steered }) => steered !== undefined);
  return [...Object.keys(routes), ...added.map(({ contract }) => contract.name)];
}

function routerState({ assembly }: ControlTarget): NonNullable<Assembly['router']>['state'] {
  if (assembly.router === undefined) throw new ControlMistake('This mock serves no model router.', 404);
  return assembly.router.state;
}

/** Everything in brief. */
export function controlState({ mock, assembly, url }: ControlTarget): ControlState {
  const { router } = assembly;
  const sample = sampleCall(assembly);
  return {
    url,
    apis: assembly.apis.map(
      ({ contract, deviations, control: steered, mountPrefix = '', besidePrefixes = [], credential }) => ({
        name: contract.name,
        title: contract.title,
        version: contract.version,
        operations: contract.operations.map(({ id, method, path }) => ({ id, method, path })),
        mountPrefix,
        beside: besidePrefixes,
        credential,
        deviations: deviations.map(({ id }) => id),
        ...(steered === undefined ? {} : { holds: steered.state() }),
      }),
    ),
    clock: clockShape(mock, assembly),
    latest: mock.journal.latest,
    pending: mock.pending.calls(),
    ...(mock.reloads.latest === undefined ? {} : { reload: mock.reloads.latest }),
    ...(sample === undefined ? {} : { sample }),
    ...(router === undefined
      ? {}
      : {
          profile: router.profile,
          models: router.state.catalogue.all().length,
          keys: [...router.state.keys.entries()].length,
          inFlight: Object.fromEntries(
            [...router.state.inFlight].map(([scope, held]) => [callerName(scope), held]),
          ),
        }),
  };
}

/** With the addresses that the suite is to call: jobs may be mounted under a path. */
function fixturesOf({ mock, assembly, url }: ControlTarget): object {
  const { mountPrefix = '' } = assembly.jobs?.settings ?? {};
  const mounted = mountPrefix === '' ? {} : { jobsBaseUrl: `${url}${mountPrefix}` };
  return { baseUrl: url, ...mounted, ...mock.fixtures() };
}

function journalPage({ journal }: Mock, query: URLSearchParams): JournalPage {
  const since = Number(query.get('since') ?? 0);
  const search = query.get('search') ?? '';
  const entries = journal.entries({ since }).filter((entry) => answersQuery(entry, search));
  const limit = Number(query.get('limit') ?? Infinity);
  return {
    entries: limit >= 0 && entries.length > limit ? entries.slice(-limit) : entries,
    latest: journal.latest,
  };
}

function journalEntry({ journal }: Mock, number: string): JournalEntry {
  const entry = journal.entry(Number(number));
  if (entry === undefined) throw new ControlMistake(`The journal has no exchange ${number}.`, 404);
  return entry;
}

function withId(model: Model): Model & { readonly id: string } {
  return { id: modelIdOf(model), ...model };
}

function centsIn({ router }: Assembly): (model: string) => number {
  return (model) => router?.state.catalogue.get(model)?.cents ?? 0;
}

/** How long a key of a run is charged at most once. */
function keyWindowMs({ router }: Assembly): number {
  return router === undefined ? Infinity : durationMs(router.facts.idempotency.window);
}

/** Lets a scenario work on the next calls: of one caller, or of everybody. */
function force({ scenarios }: Mock, body: unknown): readonly ForcedScenario[] {
  const { name, caller, after, times, ms } = membersOf(body, ['name', 'caller', 'after', 'times', 'ms']);
  if (!isCountOrNothing(after) || !(times === null || isCountOrNothing(times)))
    throw new ControlMistake('"after" and "times" are numbers.');
  if (caller !== undefined && typeof caller !== 'string')
    throw new ControlMistake('"caller" is the scope of a caller, as in the journal.');
  asMistake(() => {
    scenarios.force({
      name: String(name),
      ...(caller === undefined ? {} : { caller }),
      ...(after === undefined ? {} : { after }),
      ...(times === undefined ? {} : { times }),
      // Whatever it is: the scenario says what it takes.
      ...(ms === undefined ? {} : { ms: ms as number }),
    });
  });
  return scenarios.forced();
}

function isCountOrNothing(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number';
}

function readModel(body: unknown, [provider, model, ...rest]: readonly string[]): Model {
  if (provider === undefined || model === undefined || rest.length > 0)
    throw new ControlMistake('PUT /control/v1/models/{provider}/{model}');
  const {
    state = 'listed',
    chargesOnPolicyRejection = 'unknown',
    inputSchema,
    creditsHeader,
    cents = 5,
  } = membersOf(body, ['state', 'chargesOnPolicyRejection', 'inputSchema', 'creditsHeader', 'cents']);
  if (state !== 'listed' && state !== 'unreleased' && state !== 'trimmed')
    throw new ControlMistake('"state" is listed, unreleased or trimmed.');
  if (typeof chargesOnPolicyRejection !== 'string')
    throw new ControlMistake('"chargesOnPolicyRejection" is a text.');
  if (typeof cents !== 'number' || cents < 0) throw new ControlMistake('"cents" is a number from 0 up.');
  if (creditsHeader !== undefined && typeof creditsHeader !== 'boolean')
    throw new ControlMistake('"creditsHeader" is true or false.');
  return {
    provider,
    model,
    state,
    chargesOnPolicyRejection,
    cents,
    ...(inputSchema === undefined ? {} : { inputSchema: recordOf(inputSchema) }),
    ...(creditsHeader === true ? { creditsHeader } : {}),
  };
}

function dispatchesOf(mock: Mock): unknown {
  const byModel = mock.dispatches();
  return { dispatches: Object.values(byModel).reduce((sum, count) => sum + count, 0), byModel };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
