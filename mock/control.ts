import { durationMs } from '../contract/policies/duration.ts';
import { ControlMistake } from './api-control.ts';
import type { Assembly } from './assembly.ts';
import type { Model } from './router/catalogue.ts';
import type { ForcedScenario } from './router/context.ts';
import type { SteerableClock } from './clock.ts';
import type { Mock } from './mock.ts';
import { scenarioNamed } from './scenarios.ts';
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
  state: { GET: (target) => ok(stateOf(target)) },
  journal: {
    GET: ({ mock }, { query }) =>
      ok({ entries: mock.journal.entries({ since: Number(query.get('since') ?? 0) }) }),
    DELETE: ({ mock }) => {
      mock.journal.clear();
      return ok({ entries: [] });
    },
  },
  clock: {
    GET: ({ mock }) => ok(clockOf(mock)),
    POST: async ({ mock }, { body }) => {
      await steer(mock, body);
      return ok(clockOf(mock));
    },
  },
  scenarios: {
    GET: async ({ assembly }) => ok({ scenarios: await listScenarios(), forced: forcedIn(assembly).flat() }),
    POST: (target, { body }) => ok({ forced: force(target, body) }),
    DELETE: ({ assembly }) => {
      for (const forced of forcedIn(assembly)) forced.length = 0;
      return ok({ forced: [] });
    },
  },
  models: {
    GET: (target) => ok({ models: routerState(target).catalogue.all() }),
    PUT: (target, { body }, path) => {
      const model = readModel(body, path);
      routerState(target).catalogue.put(model);
      return ok(model);
    },
    DELETE: (target, _request, path) => {
      if (!routerState(target).catalogue.remove(path.join('/')))
        throw new ControlMistake(`There is no model ${path.join('/')}.`, 404);
      return ok({ removed: path.join('/') });
    },
  },
  keys: {
    GET: (target) => ok({ keys: keysOf(target) }),
    DELETE: (target) => {
      const { keys } = routerState(target);
      for (const [id] of [...keys.entries()]) keys.set(id, undefined, 0);
      return ok({ keys: [] });
    },
  },
  dispatches: { GET: ({ mock }) => ok(dispatchesOf(mock)) },
  fixtures: { GET: ({ mock, url }) => ok({ baseUrl: url, ...mock.fixtures() }) },
  assumptions: {
    GET: ({ assembly }) =>
      ok({
        assumptions: assembly.apis
          .flatMap(({ contract }) => contract.sheet?.unspecified ?? [])
          .map(({ id, about, mockUses }) => ({ id, about, mockUses })),
      }),
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

function stateOf({ mock, assembly, url }: ControlTarget): unknown {
  const { router } = assembly;
  return {
    url,
    apis: assembly.apis.map(({ contract, deviations, control: steered }) => ({
      name: contract.name,
      title: contract.title,
      version: contract.version,
      operations: contract.operations.map(({ id, method, path }) => ({ id, method, path })),
      deviations: deviations.map(({ id }) => id),
      ...(steered === undefined ? {} : { holds: steered.state() }),
    })),
    clock: clockOf(mock),
    ...(router === undefined
      ? {}
      : {
          profile: router.profile,
          models: router.state.catalogue.all().length,
          keys: [...router.state.keys.entries()].length,
          inFlight: Object.fromEntries(router.state.inFlight),
        }),
  };
}

function clockOf({ clock }: Mock): unknown {
  const now = clock.now();
  const time = { now, iso: new Date(now).toISOString() };
  return isSteerable(clock) ? { ...time, speed: clock.speed, nextWake: clock.nextWake() ?? null } : time;
}

/** `advance`: milliseconds or an ISO 8601 duration; `speed`: 1 as real time, 0 to stop, more to hurry. */
async function steer({ clock }: Mock, body: unknown): Promise<void> {
  if (!isSteerable(clock)) throw new ControlMistake('The clock of this mock cannot be steered.');
  const { advance, speed } = record(body);
  if (advance === undefined && speed === undefined)
    throw new ControlMistake('Give "advance" (such as "PT24H") or "speed".');
  if (speed !== undefined) {
    if (typeof speed !== 'number' || !(speed >= 0 && speed <= 1_000_000))
      throw new ControlMistake('"speed" is a number from 0 up.');
    clock.speed = speed;
  }
  if (advance === undefined) return;
  const milliseconds = millisecondsOf(advance);
  if (!(milliseconds >= 0))
    throw new ControlMistake('"advance" is milliseconds or a duration such as "PT24H".');
  await clock.advance(milliseconds);
}

function millisecondsOf(advance: unknown): number {
  if (typeof advance === 'number') return advance;
  try {
    return durationMs(String(advance));
  } catch {
    return Number.NaN;
  }
}

function isSteerable(clock: Mock['clock']): clock is SteerableClock {
  return 'advance' in clock && 'speed' in clock;
}

/** Lets a scenario work on the next calls: of one caller, of one operation, or of everybody. */
function force(target: ControlTarget, body: unknown): readonly unknown[] {
  const { name, caller, after = 0, times = 1 } = record(body);
  if (typeof name !== 'string' || scenarioNamed(name) === undefined)
    throw new ControlMistake(`There is no scenario ${String(name)}.`);
  if (!isCount(after) || !isCount(times))
    throw new ControlMistake('"after" and "times" are whole numbers from 0 up.');
  const owner = target.assembly[scenarioNamed(name)?.api ?? 'router'];
  const { forced } = owner?.state ?? routerState(target);
  forced.push({ name, after, times, seen: 0, ...(typeof caller === 'string' ? { caller } : {}) });
  return forced;
}

/** The scenarios that stand in the way of calls, by API. */
function forcedIn({ router, jobs, registry }: Assembly): ForcedScenario[][] {
  return [router, jobs, registry].flatMap((api) => (api === undefined ? [] : [api.state.forced]));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
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
  } = record(body);
  if (state !== 'listed' && state !== 'unreleased' && state !== 'trimmed')
    throw new ControlMistake('"state" is listed, unreleased or trimmed.');
  if (typeof chargesOnPolicyRejection !== 'string')
    throw new ControlMistake('"chargesOnPolicyRejection" is a text.');
  if (typeof cents !== 'number') throw new ControlMistake('"cents" is a number.');
  return {
    provider,
    model,
    state,
    chargesOnPolicyRejection,
    cents,
    ...(inputSchema === undefined ? {} : { inputSchema: record(inputSchema) }),
    ...(creditsHeader === true ? { creditsHeader } : {}),
  };
}

function keysOf(target: ControlTarget): unknown[] {
  return [...routerState(target).keys.entries()].map(([id, entry]) => {
    const [caller = '', key = ''] = id.split('\n');
    const expiry = 'expiresAt' in entry ? { expiresAt: entry.expiresAt } : {};
    return { caller, key, state: entry.state, bodyHash: entry.bodyHash, ...expiry };
  });
}

function dispatchesOf(mock: Mock): unknown {
  const byModel = mock.dispatches();
  return { dispatches: Object.values(byModel).reduce((sum, count) => sum + count, 0), byModel };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ControlMistake('The body is a JSON object.');
  return value as Readonly<Record<string, unknown>>;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
