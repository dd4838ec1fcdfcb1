import type { Behaviour, Call } from '../call.ts';
import { readWish, scenarioNamed } from '../scenarios.ts';
import { scopeOf, type Jobs } from './context.ts';

/**
 * Scenarios that are asked for from outside: `Prefer: scenario=NAME[;after=N][;times=N]` on the request, or one that the
 * control API put in the way of the next calls. The request's own wish comes first.
 */
export function wish(jobs: Jobs): Behaviour {
  return (call, next) => {
    const wanted = wished(jobs, call) ?? forced(jobs, call);
    if (wanted !== undefined) {
      call.facts.scenario = wanted;
      call.note('scenario', wanted);
    }
    return next();
  };
}

// --- internal ---

function wished(jobs: Jobs, call: Call): string | undefined {
  const wanted = readWish(call.request.header('prefer'));
  if (wanted === undefined || !concerns(jobs, call, wanted.name)) return undefined;
  const { wishes } = jobs.state;
  const counter = `${scopeOf(call)}\n${wanted.name}`;
  const earlier = wishes.get(counter) ?? 0;
  wishes.set(counter, earlier + 1);
  return earlier >= wanted.after && earlier < wanted.after + wanted.times ? wanted.name : undefined;
}

function forced(jobs: Jobs, call: Call): string | undefined {
  for (const entry of jobs.state.forced) {
    if (entry.caller !== undefined && entry.caller !== scopeOf(call)) continue;
    if (!concerns(jobs, call, entry.name)) continue;
    entry.seen += 1;
    if (entry.seen > entry.after && entry.seen <= entry.after + entry.times) return entry.name;
  }
  return undefined;
}

/** Elsewhere it neither shows nor is used up. */
function concerns(jobs: Jobs, call: Call, name: string): boolean {
  const scenario = scenarioNamed(name);
  if (scenario === undefined) {
    call.note('scenario', `there is no scenario ${name}`);
    return false;
  }
  const operation = call.operation?.id ?? '';
  switch (scenario.job?.on) {
    case 'submit':
      return jobs.facts.idempotency.operations.includes(operation);
    case 'watch':
      return jobs.facts.stream.operations.includes(operation);
    case undefined:
      return scenario.caller?.kind === 'refused';
  }
}
