import type { Clock } from '../../../conformance/index.ts';
import { hasTag, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { isOpen, settle, shown, tagOf, type Has, type Note, type Part, type Ticket } from './lives.ts';

/** All tickets with what is below them. */
export interface Store {
  readonly clock: Clock;
  readonly has: Has;
  readonly tickets: Ticket[];
  /** Lets everything happen that was due until now. */
  readonly sweep: () => void;
  readonly ticketOf: (call: Call, owner: string, options?: Options) => Ticket;
  readonly addTicket: (owner: string, values: Thing, at: number) => Ticket;
  readonly addPart: (ticket: Ticket, values: Thing) => Part;
  readonly addNote: (ticket: Ticket, values: Thing, at: number) => Note;
  readonly checkRoom: (owner: string) => void;
  readonly remove: (ticket: Ticket) => void;
}

interface Options {
  /** Whether deleted ones are found as well. */
  readonly isDeletedToo?: boolean;
  readonly isAnybody?: boolean;
}

export type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

const most = 20;

export function storeOf(clock: Clock, has: Has): Store {
  const tickets: Ticket[] = [];
  /** How many more than the bound: only a server with the fault counts that. */
  const slack = new Map<string, number>();
  let lastPart = 0;
  let lastNote = 0;

  const sweep = (): void => {
    for (const ticket of tickets) settle(ticket, clock.now(), has);
  };

  const ticketOf = (call: Call, owner: string, options: Options = {}): Ticket => {
    sweep();
    const found = tickets.find(({ id }) => id === call.path['ticketId']);
    if (found === undefined || (found.owner !== owner && options.isAnybody !== true)) {
      throw new Refusal(404, 'not_found', 'There is no such ticket.');
    }
    if (found.isDeleted && options.isDeletedToo !== true) {
      throw new Refusal(410, 'deleted', 'The ticket was deleted.');
    }
    return found;
  };

  const addTicket = (owner: string, values: Thing, at: number): Ticket => {
    const made: Ticket = {
      id: `tkt_${String(tickets.length + 1)}`,
      serial: tickets.length + 1,
      owner,
      receivedAt: at,
      log: [],
      notes: [],
      parts: [],
      lastPosition: 0,
      values: { priority: 'normal', under_warranty: false, deposit_minor: 0, ...values },
      facts: {},
      state: 'received',
      answerBy: undefined,
      updatedAt: at,
      isDeleted: false,
    };
    tickets.push(made);
    return made;
  };

  const addPart = (ticket: Ticket, values: Thing): Part => {
    lastPart += 1;
    ticket.lastPosition += 1;
    const made: Part = {
      id: `prt_${String(lastPart)}`,
      position: ticket.lastPosition,
      values: { quantity: 1, ...values },
    };
    ticket.parts.push(made);
    return made;
  };

  const addNote = (ticket: Ticket, values: Thing, at: number): Note => {
    lastNote += 1;
    const made: Note = {
      id: `note_${String(lastNote)}`,
      values: { audience: 'workshop', ...values },
      writtenAt: at,
    };
    ticket.notes.push(made);
    return made;
  };

  const checkRoom = (owner: string): void => {
    sweep();
    const count = tickets.filter((one) => one.owner === owner && !one.isDeleted && isOpen(one)).length;
    const bound = has('bound-by-counter') ? most + (slack.get(owner) ?? 0) : most;
    if (count >= bound) throw new Refusal(409, 'too_many_open', 'The chain has 20 open tickets.');
  };

  const remove = (ticket: Ticket): void => {
    ticket.isDeleted = true;
    if (!isOpen(ticket)) slack.set(ticket.owner, (slack.get(ticket.owner) ?? 0) + 1);
  };

  return { clock, has, tickets, sweep, ticketOf, addTicket, addPart, addNote, checkRoom, remove };
}

/** A read, without a body where the caller's copy is current. */
export function readOf(call: Call, seen: Thing, tag: string): Answer {
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache' };
  const list = call.header('If-None-Match');
  if (list !== undefined && hasTag(list, tag, true)) return { status: 304, headers };
  return { status: 200, headers, json: seen };
}

/** Refuses the change of another version than the caller has seen. */
export function checkVersion(call: Call, tag: string, isRequired: boolean, isWeak = false): void {
  const list = call.header('If-Match');
  if (list === undefined) {
    if (isRequired) throw new Refusal(428, 'version_needed', 'If-Match is needed.');
  } else if (!hasTag(list, tag, isWeak)) {
    throw new Refusal(412, 'stale', 'It has another version by now.');
  }
}

/** The tag of a ticket. */
export function ticketTag(ticket: Ticket, has: Has): string {
  const seen = shown(ticket);
  if (has('note-keeps-ticket-tag')) delete seen['note_count'];
  return tagOf(seen);
}

/** The members of a body that have these names. */
export const picked = (body: unknown, names: readonly string[]): Thing =>
  Object.fromEntries(Object.entries(body as Thing).filter(([name]) => names.includes(name)));

/** What a merge patch makes of a value (RFC 7396). */
export function merged(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const made = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, one] of Object.entries(patch)) {
    if (one === null) made.delete(name);
    else made.set(name, merged(made.get(name), one));
  }
  return Object.fromEntries(made);
}

// --- internal ---

const isObject = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
