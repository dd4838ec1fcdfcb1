import { createHash } from 'node:crypto';
import { ControlMistake } from './api-control.ts';
import { callerName } from './caller.ts';
import type { Assembly } from './assembly.ts';
import type { DueEvent, KeyShape } from './control-shape.ts';
import type { Journal } from './journal.ts';

/** All keys of all callers: of the router, whose answers are replayed, and of the jobs, where each is good once. */
export function keysOf({ router, jobs }: Assembly, journal: Pick<Journal, 'outlines'>): KeyShape[] {
  const numbers = new Map<string, number[]>();
  for (const { caller, key, number } of journal.outlines()) {
    if (key === undefined) continue;
    const name = `${caller ?? ''}\n${key}`;
    numbers.set(name, [...(numbers.get(name) ?? []), number]);
  }
  const shown = (
    api: KeyShape['api'],
    semantics: KeyShape['semantics'],
    stored: string,
    record: { readonly state: string; readonly bodyHash?: string; readonly expiresAt?: number },
  ): KeyShape => {
    const { caller, key } = partsOf(stored);
    return {
      id: idOf(api, stored),
      api,
      semantics,
      caller,
      key,
      state: record.state,
      bodyHash: record.bodyHash,
      expiresAt: record.expiresAt,
      exchanges: numbers.get(`${caller}\n${key}`) ?? [],
    };
  };
  return [
    ...[...(router?.state.keys.entries() ?? [])].map(([id, record]) => shown('router', 'replay', id, record)),
    ...[...(jobs?.state.keys.entries() ?? [])].map(([id, record]) => shown('jobs', 'single-use', id, record)),
  ];
}

/** Forgets one key, or lets it expire at this moment. One whose call still runs can only be forgotten. */
export function changeKey(assembly: Assembly, id: string, change: 'forget' | 'expire', now: number): void {
  const isForgotten = change === 'forget';
  for (const [stored, record] of assembly.router?.state.keys.entries() ?? []) {
    if (idOf('router', stored) !== id) continue;
    if (record.state === 'in-flight' && !isForgotten) throw new ControlMistake(STILL_RUNS, 409);
    const changed = isForgotten || record.state === 'in-flight' ? undefined : { ...record, expiresAt: now };
    return assembly.router?.state.keys.set(stored, changed, now);
  }
  for (const [stored, record] of assembly.jobs?.state.keys.entries() ?? []) {
    if (idOf('jobs', stored) !== id) continue;
    if (record.state === 'submitting' && !isForgotten) throw new ControlMistake(STILL_RUNS, 409);
    const changed = isForgotten ? undefined : { ...record, expiresAt: now };
    return assembly.jobs?.state.keys.set(stored, changed, now);
  }
  throw new ControlMistake(`There is no key ${id}.`, 404);
}

/** When keys expire by themselves. */
export function dueKeys(keys: readonly KeyShape[], now: number): DueEvent[] {
  return keys.flatMap(({ id, key, expiresAt }) =>
    expiresAt === undefined || expiresAt <= now
      ? []
      : [{ at: expiresAt, kind: 'key' as const, id, what: `key ${key} expires` }],
  );
}

// --- internal ---

const STILL_RUNS = 'The call of this key still runs.';

/** A hash: what a key is stored under can hold a token. */
function idOf(api: string, stored: string): string {
  return createHash('sha256').update(`${api}\n${stored}`).digest('base64url').slice(0, 20);
}

function partsOf(stored: string): { readonly caller: string; readonly key: string } {
  const split = stored.indexOf('\n');
  return { caller: callerName(stored.slice(0, split)), key: stored.slice(split + 1) };
}
