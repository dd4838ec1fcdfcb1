import { canonical, digest, Refusal, type Thing } from '../wire.ts';

export type Has = (fault: string) => boolean;

export interface Part {
  readonly id: string;
  readonly position: number;
  values: Thing;
}

export interface Note {
  readonly id: string;
  readonly values: Thing;
  readonly writtenAt: number;
  attachment?: Thing;
  /** The address that is good at present. */
  upload?: string;
}

export interface Ticket {
  readonly id: string;
  readonly serial: number;
  readonly owner: string;
  readonly receivedAt: number;
  /** The events for those who watch. */
  readonly log: { readonly event: string; readonly data: Thing }[];
  readonly notes: Note[];
  parts: Part[];
  lastPosition: number;
  /** What callers sent and may change. */
  values: Thing;
  /** What came with its states. */
  facts: Thing;
  state: string;
  answerBy: number | undefined;
  updatedAt: number;
  isDeleted: boolean;
}

interface Move {
  readonly from: readonly string[];
  readonly to: string;
  readonly facts: (ticket: Ticket, at: number, body: Thing) => Thing;
}

const open = ['received', 'diagnosing', 'waiting', 'repairing'];

export const isOpen = ({ state }: Ticket): boolean => open.includes(state);

export const hasEnded = ({ state }: Ticket): boolean => ['collected', 'scrapped'].includes(state);

export const time = (at: number): string => new Date(at).toISOString();

const ready = (outcome: string, at: number): Thing => ({ outcome, ready_at: time(at) });

/** What calls do with a ticket, by operation. */
const moves: Readonly<Record<string, Move>> = {
  diagnoseTicket: {
    from: ['received'],
    to: 'diagnosing',
    facts: (_, at) => ({ diagnosis_started_at: time(at) }),
  },
  proposeRepair: {
    from: ['diagnosing'],
    to: 'waiting',
    facts: (ticket, at, { finding, amount_minor, answer_within_seconds }) => {
      ticket.answerBy = at + 1000 * Number(answer_within_seconds ?? 604_800);
      return { finding, amount_minor, proposed_at: time(at) };
    },
  },
  approveRepair: { from: ['waiting'], to: 'repairing', facts: (_, at) => ({ approved_at: time(at) }) },
  declineRepair: { from: ['waiting'], to: 'ready', facts: (_, at) => ready('declined', at) },
  finishRepair: { from: ['repairing'], to: 'ready', facts: (_, at) => ready('repaired', at) },
  collectDevice: {
    from: ['ready'],
    to: 'collected',
    facts: (ticket, at, { collected_by }) => ({
      collected_by,
      collected_at: time(at),
      invoice: invoiceOf(ticket),
    }),
  },
  scrapDevice: {
    from: ['diagnosing', 'waiting', 'ready'],
    to: 'scrapped',
    facts: (_, at, { scrap_reason }) => ({ scrap_reason, scrapped_at: time(at) }),
  },
};

/** Brings a ticket into another state by a call, if there is a way. */
export function move(ticket: Ticket, operation: string, at: number, body: Thing, has: Has): void {
  const found = moves[operation];
  if (found?.from.includes(ticket.state) !== true) {
    if (operation === 'collectDevice' && has('refused-collect-stores-name')) {
      ticket.facts = { ...ticket.facts, collected_by: body['collected_by'] };
    }
    throw new Refusal(409, 'wrong_state', `The ticket is ${ticket.state}.`);
  }
  enter(ticket, found.to, at, found.facts(ticket, at, body));
}

/** Lets a proposal lapse that was not answered in time. */
export function settle(ticket: Ticket, now: number, has: Has): void {
  if (ticket.state !== 'waiting' || ticket.answerBy === undefined || ticket.answerBy > now) return;
  const facts = ready('lapsed', ticket.answerBy);
  if (has('lapsed-without-ready-at')) delete facts['ready_at'];
  enter(ticket, 'ready', ticket.answerBy, facts);
}

export function invoiceOf({ facts, parts }: Ticket): Thing {
  const isRepaired = facts['outcome'] === 'repaired';
  const work = isRepaired ? Number(facts['amount_minor']) : 0;
  const prices = parts.map(({ values }) => Number(values['price_minor']) * Number(values['quantity']));
  const spent = isRepaired ? prices.reduce((sum, price) => sum + price, 0) : 0;
  return { work_minor: work, parts_minor: spent, total_minor: work + spent };
}

/** A ticket as callers see it. */
export function shown(ticket: Ticket): Thing {
  const { id, state, answerBy } = ticket;
  const self = `/tickets/${id}`;
  return {
    id,
    ...ticket.values,
    state,
    part_count: ticket.parts.length,
    note_count: ticket.notes.length,
    ...ticket.facts,
    ...(state === 'waiting' && answerBy !== undefined ? { answer_by: time(answerBy) } : {}),
    received_at: time(ticket.receivedAt),
    updated_at: time(ticket.updatedAt),
    links: { self, parts: `${self}/parts`, events: `${self}/events` },
  };
}

export const shownPart = ({ id, position, values }: Part): Thing => ({ id, position, ...values });

export const shownNote = ({ id, values, writtenAt, attachment }: Note): Thing => ({
  id,
  ...values,
  written_at: time(writtenAt),
  ...(attachment === undefined ? {} : { attachment }),
});

/** The tag of what callers see. */
export const tagOf = (seen: Thing): string => `"${digest(canonical(seen))}"`;

// --- internal ---

function enter(ticket: Ticket, state: string, at: number, facts: Thing): void {
  ticket.state = state;
  ticket.facts = { ...ticket.facts, ...facts };
  ticket.updatedAt = at;
  ticket.log.push({ event: 'state', data: shown(ticket) });
}
