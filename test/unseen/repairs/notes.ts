import { digest, Refusal, type Call, type Thing } from '../wire.ts';
import { shownNote, time, type Note, type Ticket } from './lives.ts';
import { numberedPage } from './pages.ts';
import { picked, type Handler, type Store } from './store.ts';

interface Announced {
  readonly ticket: Ticket;
  readonly note: Note;
  readonly file: Thing;
  readonly until: number;
}

const quarter = 15 * 60 * 1000;

/** The calls about notes and the files that are attached to them, by operation. */
export function noteCalls(store: Store): Readonly<Record<string, Handler>> {
  const { clock, has } = store;
  const uploads = new Map<string, Announced>();

  const noteOf = (ticket: Ticket, call: Call): Note => {
    const found = ticket.notes.find(({ id }) => id === call.path['noteId']);
    if (found === undefined) throw new Refusal(404, 'not_found', 'There is no such note.');
    return found;
  };

  const listNotes: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    const { audience } = call.query;
    const found = ticket.notes
      .filter(({ values }) => audience === undefined || values['audience'] === audience)
      .map((note) => {
        const isPending = note.upload !== undefined && has('pending-attachment-null');
        return isPending ? { ...shownNote(note), attachment: null } : shownNote(note);
      });
    return numberedPage(call, found, { path: `/tickets/${ticket.id}/notes`, kept: ['audience'] });
  };

  const addNote: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    const note = store.addNote(ticket, picked(call.body, ['text', 'audience']), clock.now());
    const watched = has('notes-of-other-tickets')
      ? store.tickets.filter((one) => one.owner === owner)
      : [ticket];
    for (const { log } of watched) log.push({ event: 'note', data: shownNote(note) });
    const Location = `/tickets/${ticket.id}/notes/${note.id}`;
    return { status: 201, headers: { Location }, json: shownNote(note) };
  };

  const getNote: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner, { isAnybody: has('other-account-reads-note') });
    return { status: 200, json: shownNote(noteOf(ticket, call)) };
  };

  const dropNote: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    ticket.notes.splice(ticket.notes.indexOf(noteOf(ticket, call)), 1);
    return { status: 204 };
  };

  const announceAttachment: Handler = (call, owner) => {
    const ticket = store.ticketOf(call, owner);
    const note = noteOf(ticket, call);
    if (note.attachment !== undefined) {
      throw new Refusal(409, 'has_attachment', 'The note has an attachment.');
    }
    const file = picked(call.body, ['file_name', 'media_type', 'bytes']);
    if (has('largest-file-refused') && file['bytes'] === 5_000_000) {
      throw new Refusal(422, 'invalid_body', 'The file is too large.');
    }
    const id = digest(`upload ${String(uploads.size + 1)} of ${note.id}`);
    const until = clock.now() + quarter;
    uploads.set(id, { ticket, note, file, until });
    note.upload = id;
    return { status: 201, json: { address: `http://localhost/uploads/${id}`, expires_at: time(until) } };
  };

  const putFile: Handler = (call) => {
    const id = call.path['uploadId'] ?? '';
    const found = uploads.get(id);
    const isGood =
      found?.note.upload === id &&
      found.until > clock.now() &&
      !found.ticket.isDeleted &&
      found.ticket.notes.includes(found.note);
    if (!isGood) throw new Refusal(404, 'not_found', 'The address is not good, or no longer.');
    if ((call.body as Uint8Array).length !== found.file['bytes']) {
      throw new Refusal(422, 'wrong_size', 'The file has not as many bytes as were announced.');
    }
    found.note.attachment = { ...found.file, uploaded_at: time(clock.now()) };
    delete found.note.upload;
    return { status: 204 };
  };

  return { listNotes, addNote, getNote, dropNote, announceAttachment, putFile };
}
