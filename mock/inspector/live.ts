import { batch, computed, signal, type Signal } from '@preact/signals';
import type { ChangedEvent, ControlState, ControlTopic, JournalPage } from '../control/shape.ts';
import type { EndedCall, PendingCall } from '../control/calls-shape.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { controlAddress, read, tellRefusal } from './control-client.ts';

/** The most exchanges that the page keeps. The oldest are dropped first. */
const MOST_ENTRIES = 2_000;

/** Oldest first. */
export const entries = signal<readonly JournalEntry[]>([]);
/** Calls in progress, oldest first. */
export const pending = signal<readonly PendingCall[]>([]);
export const state = signal<ControlState | undefined>(undefined);
export const connection = signal<'connecting' | 'open' | 'lost'>('connecting');
/** While paused, new exchanges are not shown. */
export const paused = signal(false);
const waiting = signal<readonly JournalEntry[]>([]);
export const waitingCount = computed(() => waiting.value.length);

/** Counts the changes on a topic, so that a view knows when to read again. */
const topics = new Map<ControlTopic, Signal<number>>();

function topicNamed(name: ControlTopic): Signal<number> {
  const known = topics.get(name) ?? signal(0);
  topics.set(name, known);
  return known;
}

/** The number of changes on these topics. */
export function changes(names: readonly ControlTopic[]): number {
  return names.reduce((sum, name) => sum + topicNamed(name).value, 0);
}

/**
 * Follows the mock through one event stream. When the stream is open, the page reads the journal, and holds back new
 * events until that is done, so that it misses nothing. After a lost stream it opens another one and reads the whole
 * journal again, because a new mock may be running at the address.
 */
export function follow(): void {
  const stream = new EventSource(controlAddress('stream', { since: ONLY_WHAT_COMES }));
  told.length = 0;
  isCaughtUp = false;
  let isLost = false;
  const lose = (): void => {
    // The stream and a concurrent read may both report the same loss.
    if (isLost) return;
    isLost = true;
    connection.value = 'lost';
    stream.close();
    setTimeout(follow, RETRY_MS);
  };
  const tell = (event: Told): void => {
    if (isLost) return;
    told.push(event);
    if (told.length === 1) setTimeout(takeIn, FLUSH_MS);
  };
  /** The entry of a call whose answer is still being sent, such as an open stream. */
  const readOpen = (number: number): void => {
    read<JournalEntry>(`journal/${number}`).then(
      (entry) => {
        tell({ kind: 'exchange', entry });
      },
      () => undefined,
    );
  };
  stream.onerror = () => {
    lose();
    void tellRefusal();
  };
  stream.addEventListener('state', ({ data }: MessageEvent<string>) => {
    const now = JSON.parse(data) as ControlState;
    batch(() => {
      state.value = now;
      pending.value = now.pending;
      touch([...topics.keys()]);
    });
    read<JournalPage>('journal').then((page) => {
      if (isLost) return;
      catchUp(page.entries);
      connection.value = 'open';
    }, lose);
  });
  const listen = <Shape>(event: string, soon: (shape: Shape) => Told): void => {
    stream.addEventListener(event, ({ data }: MessageEvent<string>) => {
      tell(soon(JSON.parse(data) as Shape));
    });
  };
  listen('exchange', (entry: JournalEntry) => ({ kind: 'exchange', entry }));
  listen('began', (call: PendingCall) => {
    if (call.number !== undefined) readOpen(call.number);
    return { kind: 'began', call };
  });
  listen('ended', ({ id }: EndedCall) => ({ kind: 'ended', id }));
  listen('changed', ({ topics: changed }: ChangedEvent) => {
    if (changed.includes('clock') || changed.includes('documents')) void refreshState();
    return { kind: 'changed', changed };
  });
}

/** Reads the current state of the mock. */
export async function refreshState(): Promise<void> {
  const mine = (asked += 1);
  const now = await read<ControlState>('state').catch(() => undefined);
  // Answers can arrive out of order, and the clock must not go back.
  if (now !== undefined && mine === asked) state.value = now;
}

export function resume(): void {
  batch(() => {
    paused.value = false;
    entries.value = merged(entries.value, waiting.value);
    waiting.value = [];
  });
}

/** The exchange with this number or id, even while the journal is paused. */
export function exchangeAt(name: string): JournalEntry | undefined {
  const isIt = ({ number, id }: JournalEntry): boolean => String(number) === name || id === name;
  return entries.value.find(isIt) ?? waiting.value.find(isIt);
}

/** Reads an exchange that has happened but that the stream may not have reported yet. */
export async function readExchange(number: number): Promise<void> {
  const entry = await read<JournalEntry>(`journal/${number}`).catch(() => undefined);
  if (entry === undefined) return;
  told.push({ kind: 'exchange', entry });
  takeIn();
}

/** The highest number that the page has received. */
export function latestNumber(): number {
  return Math.max(entries.value.at(-1)?.number ?? 0, waiting.value.at(-1)?.number ?? 0);
}

/** All exchanges with this key of this caller, oldest first. */
export function exchangesWith({ key, caller, api }: JournalEntry): readonly JournalEntry[] {
  if (key === undefined) return [];
  return merged(entries.value, waiting.value).filter(
    (other) => other.key === key && other.caller === caller && other.api === api,
  );
}

/** Whether the page can send requests. With a proxy, it cannot. */
export function canSend(): boolean {
  return state.value?.resources.includes('requests') !== false;
}

// --- internal ---

const RETRY_MS = 1_000;
/** Exchanges that arrive together are drawn together. */
const FLUSH_MS = 40;
/** No exchange after this number is known yet. */
const ONLY_WHAT_COMES = String(Number.MAX_SAFE_INTEGER);

type Told =
  | { readonly kind: 'exchange'; readonly entry: JournalEntry }
  | { readonly kind: 'began'; readonly call: PendingCall }
  | { readonly kind: 'ended'; readonly id: string }
  | { readonly kind: 'changed'; readonly changed: readonly ControlTopic[] };

/** Events of the stream that the page does not show yet, in their order. */
const told: Told[] = [];
let isCaughtUp = false;
let asked = 0;
let readings = 0;

/** Replaces all known exchanges by the content of the journal. */
function catchUp(all: readonly JournalEntry[]): void {
  const known = new Set(entries.value.map(({ id }) => id));
  batch(() => {
    entries.value = merged(paused.value ? all.filter(({ id }) => known.has(id)) : all, []);
    waiting.value = paused.value ? all.filter(({ id }) => !known.has(id)) : [];
    isCaughtUp = true;
    takeIn();
  });
}

function takeIn(): void {
  if (!isCaughtUp || told.length === 0) return;
  const touched = new Set<ControlTopic>();
  let fresh: JournalEntry[] = [];
  const open = new Map(pending.value.map((call) => [call.id, call]));
  batch(() => {
    for (const event of told.splice(0)) {
      if (event.kind === 'exchange') fresh.push(event.entry);
      else if (event.kind === 'began') open.set(event.call.id, event.call);
      else if (event.kind === 'ended') open.delete(event.id);
      else {
        event.changed.forEach((topic) => touched.add(topic));
        if (!event.changed.includes('journal')) continue;
        fresh = [];
        forget();
        void readAgain();
      }
    }
    pending.value = [...open.values()];
    if (fresh.length > 0) {
      // A visible row keeps showing the progress of its call.
      const shown = paused.value ? new Set(entries.value.map(({ id }) => id)) : undefined;
      const isShown = ({ id }: JournalEntry): boolean => shown?.has(id) ?? true;
      entries.value = merged(entries.value, fresh.filter(isShown));
      if (shown !== undefined)
        waiting.value = merged(
          waiting.value,
          fresh.filter((entry) => !isShown(entry)),
        );
      for (const topic of ['keys', 'journal'] as const) touched.add(topic);
    }
    touch([...touched]);
  });
}

/** After a change of the whole journal: it was cleared, or restored. */
async function readAgain(): Promise<void> {
  const mine = (readings += 1);
  const page = await read<JournalPage>('journal').catch(() => undefined);
  if (page === undefined || mine !== readings) return;
  told.push(...page.entries.map((entry): Told => ({ kind: 'exchange', entry })));
  takeIn();
}

function forget(): void {
  paused.value = false;
  entries.value = [];
  waiting.value = [];
}

/** The newest exchanges by number, each once in its latest form. An ended call does not become open again. */
function merged(known: readonly JournalEntry[], fresh: readonly JournalEntry[]): readonly JournalEntry[] {
  const byNumber = new Map(known.map((entry) => [entry.number, entry]));
  for (const entry of fresh) {
    const before = byNumber.get(entry.number);
    if (before?.delivery === undefined || before.id !== entry.id || entry.delivery !== undefined)
      byNumber.set(entry.number, entry);
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number).slice(-MOST_ENTRIES);
}

function touch(names: readonly ControlTopic[]): void {
  for (const name of names) topicNamed(name).value += 1;
}
