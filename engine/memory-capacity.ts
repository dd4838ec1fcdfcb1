import { admitCall } from '../contract/policies/capacity.ts';
import type { HeldCapacity } from '../contract/policies/capacity.ts';
import { admissible, type AtOnce, type EngineStore, type Entry, wholeMs } from './store.ts';

/** The visible state of a memory store. */
export interface SeenStore {
  /** The capacity that callers use, by scope. */
  held(): Iterable<readonly [scope: string, held: HeldCapacity]>;
}

/** The capacity that calls use, in the memory of this process. */
export function memoryCapacity(
  now: () => number,
): SeenStore & AtOnce<Pick<EngineStore, 'enter' | 'stay' | 'leave'>> {
  /** By scope. Lists, because a map with constant additions and deletions is rebuilt repeatedly. */
  const tickets = new Map<string, Ticket[]>();
  let entries = 0;
  let nextSweep = 1_000;

  const heldBy = (scope: string): HeldCapacity => {
    const own = tickets.get(scope) ?? [];
    const time = now();
    let cents = 0;
    for (let index = own.length - 1; index >= 0; index -= 1) {
      const held = own[index] as Ticket;
      if (held.until <= time) own.splice(index, 1);
      else cents += held.cents;
    }
    return { calls: own.length, cents };
  };
  const ticketOf = (ticket: string): { own: Ticket[]; index: number } => {
    const own = tickets.get(scopeOf(ticket)) ?? [];
    return { own, index: own.findIndex(({ name }) => name === ticket) };
  };
  const after = (ms: number): number => now() + wholeMs(ms);
  const sweep = (): void => {
    for (const scope of tickets.keys()) if (heldBy(scope).calls === 0) tickets.delete(scope);
    nextSweep = entries + Math.max(1_000, tickets.size);
  };

  return {
    enter: (scope, cents, bounds, leaseMs): Entry => {
      const until = after(leaseMs);
      admissible(cents, bounds);
      if ((entries += 1) >= nextSweep) sweep();
      const held = heldBy(scope);
      if (!admitCall(held, bounds, cents).admitted) return { admitted: false, held };
      let own = tickets.get(scope);
      if (own === undefined) tickets.set(scope, (own = []));
      const name = `${String(entries)}:${scope}`;
      own.push({ name, cents, until });
      return { admitted: true, ticket: name };
    },
    stay: (ticket, leaseMs) => {
      const until = after(leaseMs);
      const { own, index } = ticketOf(ticket);
      const known = own[index];
      if (known === undefined || known.until <= now()) return false;
      known.until = until;
      return true;
    },
    leave: (ticket) => {
      const { own, index } = ticketOf(ticket);
      if (index >= 0) own.splice(index, 1);
      if (own.length === 0) tickets.delete(scopeOf(ticket));
    },
    *held() {
      for (const scope of [...tickets.keys()]) {
        const held = heldBy(scope);
        if (held.calls > 0) yield [scope, held] as const;
      }
    },
  };
}

// --- internal ---

/** A ticket is a number and its scope. */
function scopeOf(ticket: string): string {
  return ticket.slice(ticket.indexOf(':') + 1);
}

interface Ticket {
  readonly name: string;
  readonly cents: number;
  until: number;
}
