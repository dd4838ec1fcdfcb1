import type { Behaviour, Call } from '../call.ts';
import { readWish, scenarioNamed } from '../scenarios.ts';
import { scopeOf, type Jobs } from './context.ts';

/** A scenario that the request asks for by `Prefer: scenario=NAME[;after=N][;times=N]`. */
export function wish(jobs: Jobs): Behaviour {
  return (call, next) => {
    const wanted = readWish(call.request.header('prefer'));
    if (wanted === undefined || !concerns(jobs, call, wanted.name)) return next();
    const { wishes } = jobs.state;
    const counter = `${scopeOf(call)}\n${wanted.name}`;
    const earlier = wishes.get(counter) ?? 0;
    wishes.set(counter, earlier + 1);
    if (earlier >= wanted.after && earlier < wanted.after + wanted.times) {
      call.facts.scenario = wanted.name;
      call.note('scenario', wanted.name);
    }
    return next();
  };
}

// --- internal ---

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
