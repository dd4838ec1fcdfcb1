import type { Clock } from '../../../conformance/index.ts';
import { canonical, isValid, pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Once } from './keys.ts';
import { numberedPage, placeOf } from './pages.ts';
import { SHOW_MEMBERS, type Store } from './store.ts';
import {
  checkVersion,
  instantOf,
  isCurrentCopy,
  merged,
  seatsLeft,
  shownShow,
  tagOfShow,
  type Has,
  type Show,
} from './things.ts';

type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

interface Parts {
  readonly document: string;
  readonly clock: Clock;
  readonly has: Has;
  readonly store: Store;
  readonly once: Once;
}

/** The calls about shows, by operation. */
export function showCalls({ document, clock, has, store, once }: Parts): Readonly<Record<string, Handler>> {
  const answer = (show: Show, status = 200, more: Readonly<Record<string, string>> = {}): Answer => ({
    status,
    headers: { ETag: tagOfShow(show, clock.now(), has), ...more },
    json: shownShow(show, clock.now(), has),
  });
  const checkBody = ({ operation, body }: Call): Thing => {
    const sent = typeof body === 'object' && body !== null ? (body as Thing) : {};
    const isReserved = has('reserved-false-passes') ? Boolean(sent['livestream']) : 'livestream' in sent;
    if (isReserved) throw new Refusal(422, 'reserved', 'livestream is for a later version.');
    if (!isValid(document, operation, body)) {
      throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
    }
    return sent;
  };

  const listShows: Handler = (call, owner) => {
    const { hall, genre, sort } = call.query;
    const own = store.shows.filter((show) => show.owner === owner && !show.isRemoved);
    const matching = own
      .filter(({ values }) => hall === undefined || values['hall'] === hall)
      .filter(({ values }) => genre === undefined || values['genre'] === genre);
    const turnsTies = has('sort-ties-move') && placeOf(call).page % 2 === 0;
    const sorted = sort === undefined ? matching : matching.toSorted(inOrder(sort, turnsTies, has));
    return numberedPage(
      call,
      sorted.map((show) => shownShow(show, clock.now(), has)),
      {
        path: '/shows',
        kept: ['hall', 'genre', 'sort'],
        ...(has('has-more-by-whole-list') ? { whole: own.length } : {}),
      },
    );
  };

  const createShow: Handler = (call, owner) =>
    once(call, '/shows', owner, async () => {
      const body = checkBody(call);
      const title = String(body['title']);
      if (title === 'Slow opera') await clock.sleep(6000);
      if (title === 'Broken opera') throw new Refusal(500, 'internal', 'The server failed.');
      if (title === 'Opera on strike') {
        throw new Refusal(503, 'unavailable', 'Try again.', { 'Retry-After': '1' });
      }
      await pause(clock);
      const made = store.addShow(owner, body, clock.now());
      return answer(made, 201, { Location: `/shows/${made.id}` });
    });

  const getShow: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    const tag = tagOfShow(show, clock.now(), has);
    return isCurrentCopy(call, tag) ? { status: 304, headers: { ETag: tag } } : answer(show);
  };

  const changeShow: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    const { tags, ...others } = checkBody(call);
    checkVersion(call, tagOfShow(show, clock.now(), has), has);
    const isIgnored = tags === undefined || (has('empty-tags-ignored') && (tags as []).length === 0);
    const values = merged(show.values, isIgnored ? others : { ...others, tags }, SHOW_MEMBERS);
    const taken = Number(show.values['seats_total']) - seatsLeft(show, clock.now(), has);
    if (Number(values['seats_total']) < taken) {
      throw new Refusal(409, 'seats_taken', 'More seats are taken.');
    }
    if (canonical(values) !== canonical(show.values)) {
      show.values = values;
      show.updatedAt = clock.now();
      show.version += 1;
    }
    return answer(show);
  };

  const removeShow: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    checkVersion(call, tagOfShow(show, clock.now(), has), has);
    show.isRemoved = true;
    return { status: 204 };
  };

  const restoreShow: Handler = (call, owner) => {
    const show = store.showOf(call, owner, { removed: true });
    if (!show.isRemoved) throw new Refusal(409, 'not_removed', 'The show is not removed.');
    show.isRemoved = false;
    if (has('restored-without-queue')) show.queue = [];
    return answer(show);
  };

  return { listShows, createShow, getShow, changeShow, removeShow, restoreShow };
}

// --- internal ---

/** The order that a parameter names; of equal shows, the older one is first. */
function inOrder(sort: string, turnsTies: boolean, has: Has): (a: Show, b: Show) => number {
  const member = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const keyOf = ({ values }: Show): string | number => {
    const value = values[member];
    if (typeof value === 'number') return value;
    return member === 'starts_at' && !has('starts-at-as-text') ? instantOf(String(value)) : String(value);
  };
  return (a, b) =>
    sign * compared(keyOf(a), keyOf(b)) || (turnsTies ? b.number - a.number : a.number - b.number);
}

/** Numbers by size, texts by their code points. */
function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
