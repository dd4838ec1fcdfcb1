import { canonical, pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { eventsOf } from './events.ts';
import type { Once } from './keys.ts';
import { hasEnded, invoiceOf, isOpen, move, shown, type Has, type Ticket } from './lives.ts';
import { comparedValues, numberedPage, pageBody, sorted } from './pages.ts';
import { checkVersion, merged, picked, readOf, ticketTag, type Handler, type Store } from './store.ts';

const members = [
  ...['title', 'branch', 'kind', 'model', 'customer', 'priority', 'labels'],
  ...['under_warranty', 'deposit_minor', 'promised_at', 'shelf'],
];
const filters = ['state', 'priority', 'branch', 'kind'];

/** The calls about tickets, by operation. */
export function ticketCalls(store: Store, once: Once): Readonly<Record<string, Handler>> {
  const { clock, has } = store;

  const ticketsOf = (owner: string): readonly Ticket[] => {
    store.sweep();
    return store.tickets.filter((one) => one.owner === owner);
  };

  const listTickets: Handler = (call, owner) => {
    const all = ticketsOf(owner);
    const matches = (seen: Thing): boolean =>
      filters.every((name) => call.query[name] === undefined || call.query[name] === seen[name]);
    const present = all.filter(({ isDeleted }) => !isDeleted).map(shown);
    const isUnfiltered =
      has('sorted-page-unfiltered') &&
      call.query['sort'] !== undefined &&
      Number(call.query['page'] ?? 1) > 1;
    const found = isUnfiltered ? present : present.filter(matches);
    const isFiltered = filters.some((name) => call.query[name] !== undefined);
    const isMiscounted = has('total-counts-deleted') && isFiltered;
    return numberedPage(call, sorted(found, call.query['sort'] ?? '-received_at', comparison(has)), {
      path: '/tickets',
      kept: [...filters, 'sort'],
      ...(isMiscounted ? { total: all.map(shown).filter(matches).length } : {}),
    });
  };

  const searchTickets: Handler = (call, owner) => {
    const { text, labels = [], states, page = 1, per_page: size = 20 } = call.body as Search;
    const found = ticketsOf(owner)
      .filter(({ isDeleted, state }) => !isDeleted && states?.includes(state) !== false)
      .map(shown)
      .filter((seen) => labels.every((label) => (seen['labels'] as string[] | undefined)?.includes(label)))
      .filter((seen) =>
        [seen['title'], seen['model']].some((one) =>
          String(one)
            .toLowerCase()
            .includes((text ?? '').toLowerCase()),
        ),
      );
    if (has('search-omits-outcome')) for (const seen of found) delete seen['outcome'];
    return { status: 200, json: pageBody(sorted(found, '-received_at'), page, size) };
  };

  const open = async (call: Call, owner: string): Promise<Answer> => {
    if ('loaner' in (call.body as Thing)) {
      throw new Refusal(422, 'reserved', 'The member loaner is for a later version.');
    }
    const sent = known(call.body);
    const title = String(sent['title']);
    await (title.startsWith('Slow') ? clock.sleep(3000) : pause(clock));
    if (title.startsWith('Broken')) throw new Refusal(500, 'internal', 'The server failed.');
    store.checkRoom(owner);
    const stored = has('title-trimmed') ? { ...sent, title: title.trim() } : sent;
    const made = store.addTicket(owner, stored, clock.now());
    return { status: 201, headers: { Location: `/tickets/${made.id}` }, json: shown(made) };
  };

  const openTicket: Handler = (call, owner) =>
    once(
      call,
      owner,
      () => open(call, owner),
      ({ json }) => store.tickets.find(({ id }) => id === (json as Thing)['id'])?.isDeleted === true,
    );

  const getTicket: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    return readOf(call, shown(ticket), ticketTag(ticket, has));
  };

  const changeTicket: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    checkVersion(call, ticketTag(ticket, has), true);
    const patch = known(call.body);
    const isEmptied = has('null-labels-emptied') && patch['labels'] === null;
    const values = merged(ticket.values, isEmptied ? { ...patch, labels: [] } : patch) as Thing;
    const kept = has('late-model') ? ['customer', 'kind'] : ['customer', 'kind', 'model'];
    const isOther = kept.some((name) => canonical(values[name]) !== canonical(ticket.values[name]));
    if (hasEnded(ticket) && isOther) throw new Refusal(409, 'ended', `The ticket is ${ticket.state}.`);
    if (canonical(values) !== canonical(ticket.values)) {
      ticket.values = values;
      ticket.updatedAt = clock.now();
    }
    return { status: 200, headers: { ETag: ticketTag(ticket, has) }, json: shown(ticket) };
  };

  const deleteTicket: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    checkVersion(call, ticketTag(ticket, has), false, has('delete-by-weak-tag'));
    store.remove(ticket);
    return { status: 204 };
  };

  const restoreTicket: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner, { isDeletedToo: true });
    if (!ticket.isDeleted) throw new Refusal(409, 'not_deleted', 'The ticket is not deleted.');
    if (isOpen(ticket) && !has('restore-beyond-bound')) store.checkRoom(owner);
    ticket.isDeleted = false;
    if (has('restored-forgets-deadline')) ticket.answerBy = undefined;
    return { status: 200, json: shown(ticket) };
  };

  const watchTicket: Handler = (call, owner) => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
    stream: eventsOf(store.ticketOf(call, owner), clock, has, call.signal),
  });

  const act: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    const run = (): Answer => {
      move(ticket, call.operation, clock.now(), (call.body ?? {}) as Thing, has);
      return { status: 200, json: shown(ticket) };
    };
    return call.operation === 'proposeRepair' ? once(call, owner, run) : run();
  };

  const finishRepair: Handler = async (call, owner) => {
    const answer = await act(call, owner);
    if (!has('invoice-at-finish')) return answer;
    const invoice = invoiceOf(store.ticketOf(call, owner));
    return { ...answer, json: { ...(answer.json as Thing), invoice } };
  };

  return {
    listTickets,
    searchTickets,
    openTicket,
    getTicket,
    changeTicket,
    deleteTicket,
    restoreTicket,
    watchTicket,
    diagnoseTicket: act,
    proposeRepair: act,
    approveRepair: act,
    declineRepair: act,
    finishRepair,
    collectDevice: act,
    scrapDevice: act,
  };
}

// --- internal ---

interface Search {
  readonly text?: string;
  readonly labels?: readonly string[];
  readonly states?: readonly string[];
  readonly page?: number;
  readonly per_page?: number;
}

/** The members that the document names. */
function known(body: unknown): Thing {
  const { customer, ...sent } = picked(body, members);
  return customer === undefined ? sent : { ...sent, customer: picked(customer, ['name', 'phone', 'street']) };
}

/** With the fault, large numbers are compared by their difference in 32 bits. */
const comparison =
  (has: Has) =>
  (a: unknown, b: unknown): number => {
    const order = comparedValues(a, b);
    return has('large-deposits-sorted-low') && typeof a === 'number' ? order | 0 : order;
  };
