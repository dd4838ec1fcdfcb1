import type { Behaviour } from '../../call.ts';
import { readWish, scenarioNamed } from '../../scenarios.ts';
import type { Router } from './context.ts';

/** `Prefer: scenario=NAME[;after=N][;times=N]`: the one thing that a request can ask of the mock itself. */
export function wish(router: Router): Behaviour {
  return (call, next) => {
    const wanted = readWish(call.request.header('prefer'));
    if (wanted === undefined) return next();
    if (scenarioNamed(wanted.name) === undefined) {
      call.note('scenario', `there is no scenario ${wanted.name}`);
      return next();
    }
    const { wishes } = router.state;
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
