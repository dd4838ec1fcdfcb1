import type { Behaviour } from '../call.ts';
import { readWish, scenarioNamed } from '../scenarios.ts';
import type { Registry } from './context.ts';

/** Scenarios that the request asks for: `Prefer: scenario=NAME[;after=N][;times=N]`. */
export function wish(registry: Registry): Behaviour {
  return (call, next) => {
    const wanted = readWish(call.request.header('prefer'));
    if (wanted === undefined) return next();
    const scenario = scenarioNamed(wanted.name);
    if (scenario?.caller === undefined) {
      call.note('scenario', `there is no scenario ${wanted.name} here`);
      return next();
    }
    const { wishes } = registry.state;
    const counter = `${call.facts.caller?.scope ?? ''}\n${wanted.name}`;
    const earlier = wishes.get(counter) ?? 0;
    wishes.set(counter, earlier + 1);
    if (earlier >= wanted.after && earlier < wanted.after + wanted.times) {
      call.facts.scenario = wanted.name;
      call.note('scenario', wanted.name);
    }
    return next();
  };
}
