import { mainSchemeOf, suggest } from '../../contract/index.ts';
import type { Contract, Json, Operation } from '../../contract/model.ts';
import { check, observed, undecided } from '../scenarios/check.ts';
import { isObject } from '../exchanges/exchange.ts';
import type { Probe, ProbeInput, ProbeRequest, ProbeTools } from '../scenarios/probe.ts';
import { BrokenProbe, Hindered, NotExercised, scenario } from '../scenarios/scenario.ts';
import type {
  Check,
  Observation,
  Permission,
  RequestPlan,
  Scenario,
  SendOptions,
  Session,
} from '../scenarios/scenario.ts';
import { TargetError } from '../target/target.ts';
import { inputFor } from './document/input.ts';
import { fixedValue } from './document/values.ts';
import { bodyForm, isForm, written } from './document/wire-body.ts';
import type { BodyForm } from './document/wire-body.ts';
import { OwnApi, isRead, isSecured, pathParameters, sentContent } from './own-api.ts';
import { probeProblem } from './probe-shape.ts';
import { isUsable } from '../target/usable.ts';

/**
 * Scenarios for the probes of a user.
 *
 * @param contracts the user's own, with all rules that a server is judged by
 * @throws {TargetError} for a probe that is incomplete, and for unknown rules and operations
 */
export function givenScenarios(
  contracts: readonly Contract[],
  probes: readonly Probe[],
): readonly Scenario[] {
  const apis = contracts.map((contract) => new OwnApi(contract));
  const taken = new Set<string>();
  return probes.map((probe, index) => {
    const problem = probeProblem(probe);
    if (problem !== undefined) throw new TargetError(`Probe ${index + 1} of your own: ${problem}`);
    const api = apiOf(apis, probe);
    const stem = `probe.${probe.title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')}`;
    const id = taken.has(stem) ? `${stem}-${index + 1}` : stem;
    taken.add(id);
    return scenarioOf(id, api, probe);
  });
}

// --- internal ---

function apiOf(apis: readonly OwnApi[], { title, rules }: Probe): OwnApi {
  const idsOf = ({ contract }: OwnApi): readonly string[] => contract.sheet?.rules.map(({ id }) => id) ?? [];
  const found = apis.find((api) => idsOf(api).includes(rules[0] ?? ''));
  for (const rule of rules) {
    const known = found === undefined ? apis.flatMap(idsOf) : idsOf(found);
    if (known.includes(rule)) continue;
    const near = suggest(rule, known);
    throw new TargetError(
      `The probe "${title}" judges ${rule}, which none of your sheets contains${near === undefined ? '' : `. Did you mean ${near}?`}`,
    );
  }
  // The code above has found the first rule.
  return found as OwnApi;
}

function scenarioOf(id: string, api: OwnApi, probe: Probe): Scenario {
  const { title, rules, needs = [], budgetMs } = probe;
  const sent = Object.entries(probe.requests).map(([name, request]) => {
    const operation = operationOf(api, title, request);
    const plan = planOf(api, request, operation);
    return { name, plan, permission: permissionOf(api, plan, operation) };
  });
  return scenario({
    id,
    api: api.name,
    title,
    judges: rules,
    needs,
    permissions: [
      ...new Set([...(probe.permissions ?? []), ...sent.flatMap(({ permission }) => permission)]),
    ],
    requests: Object.fromEntries(sent.map(({ name, plan }) => [name, plan])),
    ...(budgetMs === undefined ? {} : { budgetMs }),
    run: (session) => judgements(api, probe, session),
  });
}

function operationOf(api: OwnApi, title: string, request: ProbeRequest): Operation | undefined {
  if (!('operation' in request)) return undefined;
  const operation = api.operation(request.operation);
  if (operation !== undefined) return operation;
  const near = suggest(
    request.operation,
    api.operations.map(({ id }) => id),
  );
  throw new TargetError(
    `The probe "${title}" sends ${request.operation}, an operation that ${api.contract.document.file} does not have` +
      (near === undefined ? '' : `. Did you mean ${near}?`),
  );
}

function planOf(api: OwnApi, request: ProbeRequest, operation: Operation | undefined): RequestPlan {
  const { times = 1, as, isInvalid, judgesRefusal } = request;
  const common = {
    times,
    ...(as === undefined ? {} : { as }),
    ...(isInvalid === undefined ? {} : { isInvalid }),
    ...(judgesRefusal === undefined ? {} : { judgesRefusal }),
  };
  if ('path' in request)
    return {
      as: mainSchemeOf(api.contract) === undefined ? 'none' : 'valid',
      method: request.method.toUpperCase(),
      target: request.path,
      ...common,
    };
  return api.plan(operation as Operation, common);
}

/** The permission that a request needs. */
function permissionOf(
  api: OwnApi,
  { method, as }: RequestPlan,
  operation: Operation | undefined,
): readonly Permission[] {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return [];
  const isGuarded = operation === undefined ? mainSchemeOf(api.contract) !== undefined : isSecured(operation);
  // No credential is needed where the document requires none.
  return [isGuarded && !isUsable(as) ? 'negatives' : 'writes'];
}

/** The judgements of a probe, recorded at once: those before an exception are kept. */
async function* judgements(
  api: OwnApi,
  probe: Probe,
  session: Session,
): AsyncGenerator<Check | Observation, void> {
  const said: (Check | Observation)[] = [];
  const judged = new Set<string>();
  let wake = (): void => undefined;
  let hasEnded = false;
  const say = (item: Check | Observation): void => {
    said.push(item);
    wake();
  };
  const rule = (id: string): string => {
    if (!probe.rules.includes(id)) throw new Error(`it judges ${id}, which is not among its rules`);
    judged.add(id);
    return id;
  };
  const tools = toolsFor(api, probe, session, {
    expect: (id, seen, holds, expected, got) => {
      say(check(rule(id), seen, holds, expected, got));
    },
    undecided: (id, seen, why) => {
      say(undecided(rule(id), seen, why));
    },
    observe: (id, seen, text) => {
      judged.add(id);
      say(observed(id, seen, text));
    },
  });
  const ended = Promise.resolve()
    .then(() => probe.run(tools))
    .finally(() => {
      hasEnded = true;
      wake();
    });
  // It is awaited below, after its judgements were recorded.
  ended.catch(() => undefined);
  for (;;) {
    yield* said.splice(0);
    if (hasEnded) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  yield* said.splice(0);
  await ended.catch((error: unknown) => {
    if (error instanceof NotExercised || error instanceof Hindered) throw error;
    throw new BrokenProbe(probe.title, error);
  });
  const open = probe.rules.filter((id) => !judged.has(id));
  if (open.length > 0)
    throw new BrokenProbe(
      probe.title,
      new Error(`it ended without a verdict for ${open.join(', ')}: call expect, undecided or notExercised`),
    );
}

type Says = Pick<ProbeTools, 'expect' | 'undecided' | 'observe'>;

function toolsFor(api: OwnApi, probe: Probe, session: Session, says: Says): ProbeTools {
  const options = (name: string, input: ProbeInput = {}): SendOptions => {
    const request = Object.hasOwn(probe.requests, name) ? probe.requests[name] : undefined;
    if (request === undefined) throw new Error(`it sends "${name}", which is not among its requests`);
    const operation = 'operation' in request ? api.operation(request.operation) : undefined;
    return sentFor(api, operation, session, input);
  };
  return {
    ...says,
    send: async (name, input) => session.send(name, options(name, input)),
    race: async (name, inputs) =>
      session.race(
        name,
        inputs.map((input) => options(name, input)),
      ),
    watch: async (name, { until, ...input } = {}) =>
      session.watch(name, { ...options(name, input), ...(until === undefined ? {} : { until }) }),
    notExercised: (why, needs = 'an opportunity') => {
      throw new NotExercised(needs, why);
    },
    fixtures: session.fixtures,
    now: () => session.clock.now(),
    sleep: (milliseconds) => session.clock.sleep(milliseconds),
    fresh: session.freshKey,
    random: session.random,
  };
}

function sentFor(
  api: OwnApi,
  operation: Operation | undefined,
  session: Session,
  { parameters = {}, headers = {}, body, timeoutMs }: ProbeInput,
): SendOptions {
  if (operation !== undefined) requireKnown(operation, parameters, session);
  const isGiven = body !== undefined;
  const filled =
    operation === undefined
      ? {}
      : inputFor(api, isGiven ? withoutBody(operation) : operation, session, parameters);
  const { headers: made = [], ...sent } = filled;
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const content = operation && sentContent(operation);
  const type =
    content && (content.mediaType.includes('*') ? content.mediaType : bodyForm(api, content).mediaType);
  const isTyped =
    !isGiven || body === null || type === undefined || type.includes('*') || own.has('content-type');
  return {
    ...sent,
    headers: [
      ...made.filter(([name]) => !own.has(name.toLowerCase())),
      ...(isTyped ? [] : [['Content-Type', type] as const]),
      ...Object.entries(headers),
    ],
    ...(isGiven && body !== null
      ? { body: content === undefined ? body : asForm(body, bodyForm(api, content)) }
      : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** The probe or the fixtures file names the changed resource, because a made-up id may belong to others. */
function requireKnown(
  operation: Operation,
  parameters: Readonly<Record<string, Json>>,
  { fixtures }: Session,
): void {
  const names = operation.parameters.map(({ name }) => name);
  for (const name of Object.keys(parameters)) {
    if (names.includes(name)) continue;
    const near = suggest(name, names);
    throw new Error(
      `${operation.id} has no parameter ${name}${near === undefined ? '' : `. Did you mean ${near}?`}`,
    );
  }
  if (isRead(operation)) return;
  for (const parameter of pathParameters(operation)) {
    const { name } = parameter;
    if (Object.hasOwn(parameters, name) || fixedValue(fixtures, operation, parameter) !== undefined) continue;
    throw new Error(
      `${operation.id} changes something: say what, as parameters.${name} of send or of the fixtures file`,
    );
  }
}

/** For an operation that expects a form, an object is sent as a form. */
function asForm(body: unknown, form: BodyForm): unknown {
  return isObject(body) && !(body instanceof Uint8Array) && isForm(form.mediaType)
    ? written(body as Json, form)
    : body;
}

function withoutBody(operation: Operation): Operation {
  return { ...operation, requestBody: undefined };
}
