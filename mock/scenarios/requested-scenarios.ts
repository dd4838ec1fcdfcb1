import { withRemark, type Answer } from '../call/answer.ts';
import type { Answered, Behaviour, Call } from '../call/call.ts';
import { readAnswerChoice } from '../samples/answer-choice.ts';
import type { Clock } from '../state/clock.ts';
import type { ScenarioSteering } from './forced-scenarios.ts';
import { readScenarioRequest, scenarioNamed, scenarioOfKey } from './scenarios.ts';
import type { MockScenario, WorkEffect } from './scenario.ts';
import { passWith } from './wire-scenarios.ts';
import { workOf } from './work-scenarios.ts';

/** The stored state of requested scenarios. */
export interface ScenarioRequests {
  /** How often a caller has requested a scenario. */
  readonly requestCounts: Map<string, number>;
}

/**
 * Scenarios that are requested from outside: by `Prefer: scenario=NAME[;after=N][;times=N]` in the request,
 * by the control API for the next calls, or by `Prefer: code=503` for a declared answer. The request's own
 * scenario takes precedence, and the answer names its unfulfillable parts. Effects on the transfer, such as a cut
 * connection, are implemented here; the credential can select them too.
 *
 * @param state of the API, read for each call, because a reset replaces it
 * @param concerns whether a scenario applies to a call; otherwise it has no effect and is not used up
 */
export function requestedScenarios(
  state: () => ScenarioRequests,
  concerns: (call: Call, scenario: MockScenario) => boolean,
  { clock, steering }: { readonly clock: Clock; readonly steering: ScenarioSteering },
): Behaviour {
  const matters = (call: Call, scenario: MockScenario): boolean =>
    scenario.wire !== undefined || concerns(call, scenario) || isDeclared(call, scenario);
  return (call, next) => {
    const refused: string[] = [];
    const declared = declaredByCode(call, refused);
    if (declared !== undefined) return declared;
    const wanted =
      wished(state(), call, matters, refused) ?? forced(steering, call, matters) ?? onTheWay(call, matters);
    if (wanted === undefined) return refused.length === 0 ? next() : remarked(next(), refused.join(' '));
    call.facts.scenario = wanted.name;
    call.note('scenario', wanted.name);
    const scenario = scenarioNamed(wanted.name);
    const work = scenario === undefined ? undefined : workOf(scenario, wanted.ms);
    if (work !== undefined) call.facts.work = work;
    if (
      scenario !== undefined &&
      work !== undefined &&
      isDeclared(call, scenario) &&
      !concerns(call, scenario)
    )
      return doWork(work, clock, call, next);
    const effect = scenario?.wire;
    return effect === undefined ? next() : passWith(effect, wanted.ms, clock, [call, next]);
  };
}

/**
 * How often something was requested before, including this time. If there are very many, the oldest
 * are forgotten.
 */
export function countRequest(requestCounts: ScenarioRequests['requestCounts'], counter: string): number {
  const earlier = requestCounts.get(counter) ?? 0;
  if (earlier === 0 && requestCounts.size >= MOST_COUNTS)
    for (const oldest of [...requestCounts.keys()].slice(0, MOST_COUNTS / 2)) requestCounts.delete(oldest);
  requestCounts.set(counter, earlier + 1);
  return earlier;
}

// --- internal ---

const MOST_COUNTS = 10_000;

type Concerns = Parameters<typeof requestedScenarios>[1];

interface Wanted {
  readonly name: string;
  readonly ms?: number;
}

/** The scenario that a credential selects, if no API defines its own effect for it. */
function onTheWay(call: Call, concerns: Concerns): Wanted | undefined {
  const { scenario, ms } = scenarioOfKey(call.facts.caller?.scenario ?? '') ?? {};
  if (scenario === undefined || (scenario.wire ?? scenario.work) === undefined) return undefined;
  if (!concerns(call, scenario)) return undefined;
  return { name: scenario.name, ...(ms === undefined ? {} : { ms }) };
}

/** Whether the mock can apply a scenario to an operation by its declared answers, regardless of the API. */
function isDeclared({ facts }: Call, { work }: MockScenario): boolean {
  if (facts.declared === undefined || work === undefined) return false;
  return work.kind === 'slow' || facts.declared(work.status) !== undefined;
}

async function remarked(answered: Answered, remark: string): Promise<Answer> {
  const answer = await answered;
  return answer.cut === true ? answer : withRemark(answer, remark);
}

async function doWork(work: WorkEffect, clock: Clock, call: Call, next: () => Answered): Promise<Answer> {
  if (work.kind === 'status') {
    call.note('answer', `${String(work.status)}: what the document declares`, work.because);
    return call.facts.declared?.(work.status) ?? next();
  }
  await clock.sleep(work.ms, call.signal);
  return next();
}

/** `Prefer: code=503`: the declared answer for that status. `refused` names the unfulfillable parts. */
function declaredByCode(call: Call, refused: string[]): Answer | undefined {
  const { request, facts, operation } = call;
  if (facts.declared === undefined || request.header('prefer') === undefined) return undefined;
  const wish = readAnswerChoice({ ...request, query: [] });
  const code = typeof wish === 'string' ? undefined : wish.code;
  const answer = code === undefined ? undefined : facts.declared(code);
  if (answer !== undefined) {
    call.note('answer', `code=${String(code)}: what the document declares`);
    return answer;
  }
  if (code === undefined && typeof wish !== 'string') return undefined;
  const statuses = operation?.responses.map(({ status }) => status).join(', ') ?? '';
  const remark =
    typeof wish === 'string' ? wish : `${operation?.id ?? ''} declares no ${String(code)}, but ${statuses}`;
  call.note('scenario', remark);
  refused.push(remark);
  return undefined;
}

function wished(
  { requestCounts }: ScenarioRequests,
  call: Call,
  concerns: Concerns,
  refused: string[],
): Wanted | undefined {
  const wanted = readScenarioRequest(call.request.header('prefer'));
  if (wanted === undefined) return undefined;
  const scenario = scenarioNamed(wanted.name);
  if (scenario === undefined || !concerns(call, scenario)) {
    const remark =
      scenario === undefined
        ? `there is no scenario ${wanted.name}`
        : `there is no scenario ${wanted.name} here: ${call.operation?.id ?? 'this path'} cannot do it`;
    call.note('scenario', remark);
    refused.push(remark);
    return undefined;
  }
  for (const problem of wanted.problems) call.note('scenario', problem);
  const counter = `${call.facts.caller?.scope ?? ''}\n${wanted.name}`;
  const earlier = countRequest(requestCounts, counter);
  return earlier >= wanted.after && earlier < wanted.after + wanted.times ? wanted : undefined;
}

function forced(steering: ScenarioSteering, call: Call, concerns: Concerns): Wanted | undefined {
  const scope = call.facts.caller?.scope;
  for (const entry of steering.forced()) {
    if (entry.caller !== undefined && entry.caller !== scope) continue;
    const scenario = scenarioNamed(entry.name);
    if (scenario === undefined || !concerns(call, scenario)) continue;
    entry.seen += 1;
    const { after, times, seen } = entry;
    if (seen > after && seen <= after + (times ?? Infinity)) return entry;
  }
  return undefined;
}
