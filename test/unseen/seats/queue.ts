import type { Clock } from '../../../conformance/index.ts';
import { isValid, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { cursorPage } from './pages.ts';
import type { Store } from './store.ts';
import { time, type Entry, type Has, type Show } from './things.ts';

type Handler = (call: Call, owner: string) => Answer;

interface Parts {
  readonly document: string;
  readonly clock: Clock;
  readonly has: Has;
  readonly store: Store;
}

/** The calls about those who wait for seats, by operation. */
export function queueCalls({ document, clock, has, store }: Parts): Readonly<Record<string, Handler>> {
  const joinQueue: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    if (!isValid(document, call.operation, call.body)) {
      throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
    }
    const body = call.body as Thing;
    if (show.queue.some(({ contact }) => contact === body['contact'])) {
      throw new Refusal(409, 'already_waiting', 'The contact waits for this show.');
    }
    const made = store.addEntry(show, body, clock.now());
    return {
      status: 201,
      headers: { Location: `/shows/${show.id}/queue/${made.id}` },
      json: shown(show, made),
    };
  };

  const listQueue: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    const rows = show.queue.map((entry) => ({ number: entry.number, shown: shown(show, entry) }));
    return cursorPage(call, rows, { bound: `queue ${show.id}`, has });
  };

  const getQueueEntry: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    const entry = show.queue.find(({ id }) => id === call.path['entryId']);
    if (entry === undefined) throw new Refusal(404, 'not_found', 'There is no such entry.');
    return { status: 200, json: shown(show, entry) };
  };

  const leaveQueue: Handler = (call, owner) => {
    const show = store.showOf(call, owner, { otherOwner: has('other-account-leaves-queue') });
    show.queue = show.queue.filter(({ id }) => id !== call.path['entryId']);
    return { status: 204 };
  };

  return { joinQueue, listQueue, getQueueEntry, leaveQueue };
}

// --- internal ---

const shown = (show: Show, entry: Entry): Thing => ({
  id: entry.id,
  contact: entry.contact,
  seats: entry.seats,
  position: show.queue.indexOf(entry) + 1,
  joined_at: time(entry.joinedAt),
});
