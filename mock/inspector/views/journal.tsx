import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { answersQuery } from '../../journal/journal-search.ts';
import { notice, steer } from '../control-client.ts';
import { useRows } from '../keyboard.ts';
import {
  entries,
  exchangeAt,
  exchangesWith,
  latestNumber,
  paused,
  pending,
  resume,
  state,
  waitingCount,
} from '../live.ts';
import { Head, SearchField } from '../parts.tsx';
import { address, replaceRow, replaceSearch, route } from '../route.ts';
import { ExchangeView } from './exchange.tsx';
import { rowsOf, type JournalRow } from './journal-rows.ts';
import { JournalTable } from './journal-table.tsx';
import { Onboarding } from './onboarding.tsx';

const search = computed(() => (route.value.view === 'journal' ? route.value.search : ''));

/** Newest first. */
const all = computed(() => rowsOf(entries.value, pending.value));
const found = computed(() =>
  search.value === '' ? all.value : all.value.filter(({ entry }) => answersQuery(entry, search.value)),
);

export function JournalView(): JSX.Element {
  const shown = found.value;
  useRows(
    'journal',
    useMemo(() => shown.map(({ name }) => name), [shown]),
  );
  const { row } = route.value;
  const chosen = useChosen(row);
  useBackToRow(row);
  if (all.value.length === 0) return <Onboarding />;
  return (
    <>
      <Head
        title="Journal"
        about="Every call with its answer and the reasons for it. Newest first, in the order in which they ended."
      >
        <button
          type="button"
          aria-pressed={paused.value}
          onClick={() => {
            if (paused.value) resume();
            else paused.value = true;
          }}
        >
          {paused.value ? `Resume${waitingCount.value > 0 ? ` (${waitingCount.value} new)` : ''}` : 'Pause'}
        </button>
        <button type="button" onClick={() => void clear()}>
          Clear
        </button>
      </Head>
      <Search shown={shown.length} of={all.value.length} />
      <div class={row === undefined ? 'journal' : 'journal split'}>
        <JournalTable rows={shown} chosen={row} search={search.value} />
        {row === undefined ? null : typeof chosen === 'string' ? (
          <aside class="exchange" aria-label="Exchange">
            <p class="empty">
              {chosen === 'to come'
                ? `Exchange ${row} does not exist yet.`
                : 'This exchange is no longer in the journal.'}{' '}
              <a href={address('journal')}>Show all that are</a>
            </p>
          </aside>
        ) : (
          <ExchangeView entry={chosen.entry} since={chosen.since} others={exchangesWith(chosen.entry)} />
        )}
      </div>
    </>
  );
}

// --- internal ---

async function clear(): Promise<void> {
  if ((await steer('DELETE', 'journal')) === undefined) return;
  notice.value = { kind: 'done', text: 'The journal is empty.', undo: () => void steer('PUT', 'journal') };
}

/** The row of the address. It may be shown, held back while the journal is paused, or still to be read. */
function useChosen(name: string | undefined): Omit<JournalRow, 'name'> | 'to come' | 'gone' {
  const shown = all.value.find((row) => row.name === name || row.entry.id === name);
  const entry = name === undefined || shown !== undefined ? undefined : exchangeAt(name);
  useLayoutEffect(() => {
    // A call that was selected while it was in progress has its number now.
    if (shown !== undefined && name !== undefined && shown.name !== name) replaceRow(shown.name);
  }, [shown?.name, name]);
  if (shown !== undefined) return shown;
  if (entry !== undefined) return { entry, since: undefined };
  return Number(name) > latestNumber() ? 'to come' : 'gone';
}

/** Closing an exchange returns the focus to its row. */
function useBackToRow(row: string | undefined): void {
  const before = useRef(row);
  useLayoutEffect(() => {
    const left = before.current;
    before.current = row;
    if (row !== undefined || left === undefined || document.activeElement !== document.body) return;
    const link = document.querySelector<HTMLElement>(`.rows [data-row="${CSS.escape(left)}"]`);
    (link ?? document.querySelector<HTMLElement>('.rows'))?.focus({ preventScroll: true });
  }, [row]);
}

/** The most frequent searches. */
const usual: readonly (readonly [query: string, label: string, needs?: string])[] = [
  ['is:violation', 'contract ✖'],
  ['is:error', 'errors'],
  ['is:replayed', 'replayed', 'keys'],
  ['is:billed', 'billed', 'models'],
  ['is:assumed', 'assumed'],
  ['is:scenario', 'scenario'],
];

/** Whether this mock has the resource that a search is about. */
function isUseful([, , needs]: (typeof usual)[number]): boolean {
  return needs === undefined || state.value?.resources.includes(needs) !== false;
}

function Search(props: { readonly shown: number; readonly of: number }): JSX.Element {
  const query = search.value;
  const wordsNow = (): readonly string[] => search.value.split(/\s+/).filter((word) => word !== '');
  const toggle = (word: string): void => {
    const words = wordsNow();
    replaceSearch(
      (words.includes(word) ? words.filter((other) => other !== word) : [...words, word]).join(' '),
    );
  };
  return (
    <search class="search">
      <SearchField
        label="Search the journal"
        placeholder={`status:5xx op:${state.value?.apis[0]?.operations[0]?.id ?? 'id'} is:scenario, or any text`}
        value={query}
      />
      {usual.filter(isUseful).map(([word, label]) => (
        <button
          key={word}
          type="button"
          class="small"
          title={word}
          aria-pressed={wordsNow().includes(word)}
          onClick={() => {
            toggle(word);
          }}
        >
          {label}
        </button>
      ))}
      <span class="soft found" role="status">
        {query === '' ? `${props.of} ${props.of === 1 ? 'call' : 'calls'}` : `${props.shown} of ${props.of}`}
      </span>
    </search>
  );
}
