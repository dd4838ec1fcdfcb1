import { pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Once } from './keys.ts';
import { hasEnded, shownPart, tagOf, type Part, type Ticket } from './lives.ts';
import { offsetPage, sorted } from './pages.ts';
import { Problem } from './places.ts';
import { checkVersion, picked, readOf, type Handler, type Store } from './store.ts';

const members = ['serial', 'name', 'kind', 'price_minor', 'quantity', 'supplier', 'ordered_at'];

/** The calls about the parts of a ticket, by operation. */
export function partCalls(store: Store, once: Once): Readonly<Record<string, Handler>> {
  const { clock, has } = store;

  const checkOpen = (ticket: Ticket): void => {
    if (hasEnded(ticket)) throw new Refusal(409, 'ended', `The ticket is ${ticket.state}.`);
  };

  const checkSerials = (ticket: Ticket, serials: readonly unknown[], but?: Part): void => {
    const others = ticket.parts.filter((one) => one !== but).map(({ values }) => values['serial']);
    const isTwice = new Set(serials).size < serials.length && !has('bulk-duplicate-within');
    if (isTwice || serials.some((serial) => others.includes(serial))) {
      const more = has('bulk-conflict-status') && serials.length > 1 ? { status: 422 } : {};
      throw new Problem(409, 'serial_taken', 'Another part of the ticket has the serial.', more);
    }
  };

  const partOf = (ticket: Ticket, call: Call): Part => {
    const found = ticket.parts.find(({ id }) => id === call.path['partId']);
    if (found === undefined) throw new Refusal(404, 'not_found', 'There is no such part.');
    return found;
  };

  const listParts: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    const { kind, sort = 'position' } = call.query;
    const found = ticket.parts.map(shownPart).filter((part) => kind === undefined || part['kind'] === kind);
    const path = `/tickets/${ticket.id}/parts`;
    return offsetPage(call, sorted(found, sort), { path, kept: ['kind', 'sort'] }, has);
  };

  const add = async (call: Call, owner: string): Promise<Answer> => {
    await pause(clock);
    const ticket = store.ticketOf(call, owner);
    checkOpen(ticket);
    const values = picked(call.body, members);
    checkSerials(ticket, [values['serial']]);
    const made = store.addPart(ticket, values);
    const Location = `/tickets/${ticket.id}/parts/${made.id}`;
    return { status: 201, headers: { Location }, json: shownPart(made) };
  };

  const addPart: Handler = (call, owner) => {
    store.ticketOf(call, owner);
    return once(call, owner, () => add(call, owner));
  };

  const addParts: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner, { isDeletedToo: has('bulk-below-deleted') });
    checkOpen(ticket);
    const all = (call.body as { readonly parts: readonly Thing[] }).parts.map((one) => picked(one, members));
    checkSerials(
      ticket,
      all.map(({ serial }) => serial),
    );
    const parts = all.map((values) => shownPart(store.addPart(ticket, values)));
    return { status: 201, json: { parts } };
  };

  const getPart: Handler = (call, owner) => {
    const seen = shownPart(partOf(store.ticketOf(call, owner), call));
    return readOf(call, seen, tagOf(seen));
  };

  const replacePart: Handler = async (call, owner) => {
    const values = picked(call.body, members);
    const judged = (): readonly [Ticket, Part] => {
      const ticket = store.ticketOf(call, owner);
      const part = partOf(ticket, call);
      checkOpen(ticket);
      checkVersion(call, tagOf(shownPart(part)), true);
      checkSerials(ticket, [values['serial']], part);
      return [ticket, part];
    };
    const [, early] = judged();
    await pause(clock);
    const part = has('put-races-add') ? early : judged()[1];
    const quantity = has('put-keeps-quantity') ? part.values['quantity'] : 1;
    part.values = { quantity, ...values };
    const seen = shownPart(part);
    return { status: 200, headers: { ETag: tagOf(seen) }, json: seen };
  };

  const removePart: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    const part = partOf(ticket, call);
    checkOpen(ticket);
    checkVersion(call, tagOf(shownPart(part)), false, has('delete-by-weak-tag'));
    ticket.parts = ticket.parts.filter((one) => one !== part);
    return { status: 204 };
  };

  return { listParts, addPart, addParts, getPart, replacePart, removePart };
}
