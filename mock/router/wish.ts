import type { Behaviour, Call } from '../call.ts';
import { readWish, scenarioNamed } from '../scenarios.ts';
import type { Router } from './context.ts';

/**
 * Scenarios that are asked for from outside: `Prefer: scenario=NAME[;after=N][;times=N]` on the request, or one that the
 * control API put in the way of the next calls. The request's own wish comes first.
 */
export function wish(router: Router): Behaviour {
  return (call, next) => {
    const wanted = wished(router, call) ?? forced(router, call);
    if (wanted !== undefined) {
      call.facts.scenario = wanted;
      call.note('scenario', wanted);
    }
    return next();
  };
}

// --- internal ---

function wished(router: Router, call: Call): string | undefined {
  const wanted = readWish(call.request.header('prefer'));
  if (wanted === undefined) return undefined;
  if (scenarioNamed(wanted.name) === undefined) {
    call.note('scenario', `there is no scenario ${wanted.name}`);
    return undefined;
  }
  if (!concerns(router, call, wanted.name)) return undefined;
  const { wishes } = router.state;
  const counter = `${call.facts.caller?.scope ?? ''}\n${wanted.name}`;
  const earlier = wishes.get(counter) ?? 0;
  wishes.set(counter, earlier + 1);
  return earlier >= wanted.after && earlier < wanted.after + wanted.times ? wanted.name : undefined;
}

function forced(router: Router, call: Call): string | undefined {
  const scope = call.facts.caller?.scope;
  for (const entry of router.state.forced) {
    if (entry.caller !== undefined && entry.caller !== scope) continue;
    if (!concerns(router, call, entry.name)) continue;
    entry.seen += 1;
    if (entry.seen > entry.after && entry.seen <= entry.after + entry.times) return entry.name;
  }
  return undefined;
}

/** What a model does concerns runs only; a read in between neither shows nor uses it up. */
function concerns(router: Router, call: Call, name: string): boolean {
  const isRun = router.facts.deadline.operations.includes(call.operation?.id ?? '');
  return isRun || scenarioNamed(name)?.model === undefined;
}
