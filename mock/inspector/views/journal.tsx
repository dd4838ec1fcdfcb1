import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { answersQuery } from '../../journal-search.ts';
import type { JournalEntry } from '../../journal.ts';
import { steer } from '../control-client.ts';
import { useRows } from '../keyboard.ts';
import { entries, paused, resume, waitingCount } from '../live.ts';
import { Head } from '../parts.tsx';
import { address, replaceSearch, route } from '../route.ts';
import { Exchange } from './exchange.tsx';
import { JournalTable } from './journal-table.tsx';
import { Onboarding } from './onboarding.tsx';

const search = computed(() => (route.value.view === 'journal' ? route.value.search : ''));

/** Newest first. */
const found = computed(() =>
  entries.value.filter((entry) => search.value === '' || answersQuery(entry, search.value)).reverse(),
);

export function Journal(): JSX.Element {
  const shown = found.value;
  useRows(useMemo(() => shown.map(({ number }) => String(number)), [shown]));
  const row = route.value.row;
  const chosen = entries.value.find(({ number }) => String(number) === row);
  if (entries.value.length === 0) return <Onboarding />;
  return (
    <>
      <Head
        title="Journal"
        about="Every call with its answer, and why it was answered so. Newest first, as they end."
      >
        <button
          type="button"
          aria-pressed={paused.value}
          onClick={() => {
            if (paused.value) resume();
            else paused.value = true;
          }}
        >
          {paused.value ? `Go on${waitingCount.value > 0 ? ` (${waitingCount.value} new)` : ''}` : 'Pause'}
        </button>
        <button type="button" onClick={() => void steer('DELETE', 'journal')}>
          Clear
        </button>
      </Head>
      <Search shown={shown.length} all={entries.value.length} />
      <div class={chosen === undefined ? 'journal' : 'journal split'}>
        <JournalTable rows={shown} chosen={chosen?.number} search={search.value} />
        {row === undefined ? null : chosen === undefined ? (
          <Gone />
        ) : (
          <Exchange key={chosen.number} entry={chosen} others={attemptsOf(chosen)} />
        )}
      </div>
    </>
  );
}

// --- internal ---

/** What is asked for most, one click away. */
const usual: readonly (readonly [query: string, label: string])[] = [
  ['is:violation', 'contract ✖'],
  ['is:error', 'errors'],
  ['is:replayed', 'replayed'],
  ['is:billed', 'billed'],
  ['is:assumed', 'assumed'],
  ['is:scenario', 'scenario'],
];

function Search({ shown, all }: { readonly shown: number; readonly all: number }): JSX.Element {
  const query = search.value;
  const words = query.split(/\s+/).filter((word) => word !== '');
  const toggle = (word: string): void => {
    replaceSearch(
      (words.includes(word) ? words.filter((other) => other !== word) : [...words, word]).join(' '),
    );
  };
  return (
    <search class="search">
      <input
        type="search"
        aria-label="Search the journal"
        placeholder="status:5xx is:violation key:order-1 op:runModel rule:A-08, or any text     /"
        value={query}
        spellcheck={false}
        onInput={(event) => {
          replaceSearch(event.currentTarget.value);
        }}
      />
      {usual.map(([word, label]) => (
        <button
          key={word}
          type="button"
          class="small"
          title={word}
          aria-pressed={words.includes(word)}
          onClick={() => {
            toggle(word);
          }}
        >
          {label}
        </button>
      ))}
      <span class="soft found" role="status">
        {query === '' ? `${all}` : `${shown} of ${all}`}
      </span>
    </search>
  );
}

/** The other attempts of the same call: those of one caller with one key. */
function attemptsOf({ caller, key, api }: JournalEntry): readonly JournalEntry[] {
  if (key === undefined) return [];
  return entries.value.filter((other) => other.key === key && other.caller === caller && other.api === api);
}

function Gone(): JSX.Element {
  return (
    <aside class="exchange" aria-label="Exchange">
      <p class="empty">
        This exchange is not in the journal any more. <a href={address('journal')}>All that are</a>
      </p>
    </aside>
  );
}
