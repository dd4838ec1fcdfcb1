import { batch, computed, signal } from '@preact/signals';
import type { ChangedEvent, ControlState, ControlTopic, JournalPage } from '../control-shape.ts';
import type { JournalEntry } from '../journal.ts';
import { controlAddress, read } from './control-client.ts';

/** How many exchanges the page keeps: the oldest make room. */
export const MOST_ENTRIES = 2_000;

/** Oldest first. */
export const entries = signal<readonly JournalEntry[]>([]);
export const state = signal<ControlState | undefined>(undefined);
export const connection = signal<'connecting' | 'open' | 'lost'>('connecting');
/** New exchanges wait while somebody reads. */
export const paused = signal(false);
const waiting = signal<readonly JournalEntry[]>([]);
export const waitingCount = computed(() => waiting.value.length);

/** Counts up with everything that happens on a topic, so that a view knows when to read again. */
const topics: Readonly<Record<ControlTopic, ReturnType<typeof signal<number>>>> = {
  clock: signal(0),
  keys: signal(0),
  jobs: signal(0),
  models: signal(0),
  scenarios: signal(0),
  registry: signal(0),
  journal: signal(0),
};

/** The sum of what changed on these topics so far. */
export function changes(names: readonly ControlTopic[]): number {
  return names.reduce((sum, name) => sum + (topics[name].value ?? 0), 0);
}

/**
 * Follows the mock: what it has written down already, and then one stream for everything. When that is lost, the page
 * begins again behind what it has seen; a mock that knows less than the page is another one, and the page forgets.
 */
export async function follow(): Promise<void> {
  const since = Math.max(0, lastNumber() - OVERLAP);
  const page = await read<JournalPage>('journal', { since: String(since) }).catch(() => undefined);
  if (page === undefined) {
    connection.value = 'lost';
    setTimeout(() => void follow(), RETRY_MS);
    return;
  }
  if (page.latest < lastNumber()) {
    forget();
    return follow();
  }
  arrived.push(...page.entries);
  takeIn();
  listen(page.latest);
}

export async function refreshState(): Promise<void> {
  state.value = await read<ControlState>('state').catch(() => state.value);
}

export function resume(): void {
  batch(() => {
    paused.value = false;
    entries.value = merged(entries.value, waiting.value);
    waiting.value = [];
  });
}

// --- internal ---

function listen(since: number): void {
  const stream = new EventSource(controlAddress('stream', { since: String(since) }));
  stream.onopen = () => {
    connection.value = 'open';
  };
  stream.onerror = () => {
    connection.value = 'lost';
    stream.close();
    setTimeout(() => void follow(), RETRY_MS);
  };
  stream.addEventListener('state', ({ data }: MessageEvent<string>) => {
    batch(() => {
      state.value = JSON.parse(data) as ControlState;
      touch(Object.keys(topics) as ControlTopic[]);
    });
  });
  stream.addEventListener('exchange', ({ data }: MessageEvent<string>) => {
    arrived.push(JSON.parse(data) as JournalEntry);
    if (arrived.length === 1) setTimeout(takeIn, FLUSH_MS);
  });
  stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
    const { topics: changed } = JSON.parse(data) as ChangedEvent;
    batch(() => {
      if (changed.includes('journal')) forget();
      touch(changed);
    });
    if (changed.includes('clock')) void refreshState();
  });
}

const RETRY_MS = 1_000;
/** Exchanges of one moment are drawn together. */
const FLUSH_MS = 40;
/** Exchanges come in the order of their ends: behind the last one there can be others of lower numbers. */
const OVERLAP = 50;

const arrived: JournalEntry[] = [];

function takeIn(): void {
  const fresh = arrived.splice(0);
  batch(() => {
    if (paused.value) waiting.value = merged(waiting.value, fresh);
    else entries.value = merged(entries.value, fresh);
    touch(['keys', 'jobs', 'journal']);
  });
}

function forget(): void {
  arrived.length = 0;
  batch(() => {
    entries.value = [];
    waiting.value = [];
  });
}

function lastNumber(): number {
  return (waiting.value.at(-1) ?? entries.value.at(-1))?.number ?? 0;
}

/** By number, each once and as it was told last; the newest of them. */
function merged(known: readonly JournalEntry[], fresh: readonly JournalEntry[]): readonly JournalEntry[] {
  const byNumber = new Map([...known, ...fresh].map((entry) => [entry.number, entry]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number).slice(-MOST_ENTRIES);
}

function touch(names: readonly ControlTopic[]): void {
  for (const name of names) topics[name].value = (topics[name].value ?? 0) + 1;
}
