import type { Behaviour, Call } from '../call.ts';
import { readWish, scenarioNamed } from '../scenarios.ts';
import type { Registry } from './context.ts';
import { PARTNER_FAILS, VERSION_TAKEN } from './scenarios.ts';

/**
 * Scenarios that are asked for from outside: `Prefer: scenario=NAME[;after=N][;times=N]` on the request, or one that the
 * control API put in the way of the next calls. The request's own wish comes first.
 */
export function wish(registry: Registry): Behaviour {
  return (call, next) => {
    const wanted = wished(registry, call) ?? forced(registry, call);
    if (wanted !== undefined) {
      call.facts.scenario = wanted;
      call.note('scenario', wanted);
    }
    return next();
  };
}

// --- internal ---

function wished({ facts, state }: Registry, call: Call): string | undefined {
  const wanted = readWish(call.request.header('prefer'));
  if (wanted === undefined) return undefined;
  if (scenarioNamed(wanted.name)?.caller === undefined)
    call.note('scenario', `there is no scenario ${wanted.name} here`);
  if (!concerns({ facts }, call, wanted.name)) return undefined;
  const counter = `${call.facts.caller?.scope ?? ''}\n${wanted.name}`;
  const earlier = state.wishes.get(counter) ?? 0;
  state.wishes.set(counter, earlier + 1);
  return earlier >= wanted.after && earlier < wanted.after + wanted.times ? wanted.name : undefined;
}

function forced(registry: Registry, call: Call): string | undefined {
  for (const entry of registry.state.forced) {
    if (entry.caller !== undefined && entry.caller !== call.facts.caller?.scope) continue;
    if (!concerns(registry, call, entry.name)) continue;
    entry.seen += 1;
    if (entry.seen > entry.after && entry.seen <= entry.after + entry.times) return entry.name;
  }
  return undefined;
}

/** Elsewhere it neither shows nor is used up. */
function concerns({ facts }: Pick<Registry, 'facts'>, call: Call, name: string): boolean {
  const isPublication = facts.uniqueness.operations.includes(call.operation?.id ?? '');
  if (name === VERSION_TAKEN) return isPublication;
  if (name === PARTNER_FAILS) return !isPublication;
  return scenarioNamed(name)?.caller !== undefined;
}
