import type { JSX } from 'preact';
import type { SentExchange } from '../../control-shape.ts';
import type { JournalEntry } from '../../journal.ts';
import { callerName } from '../caller-name.ts';
import { dateAndTime, duration } from '../clock-time.ts';
import { notice, steer } from '../control-client.ts';
import { asCurl, asFetch, asTest, copied } from '../copy-as.ts';
import { state } from '../live.ts';
import { CopyButton, Status } from '../parts.tsx';
import { address, go, route } from '../route.ts';
import { Findings } from './findings.tsx';
import { Notes } from './journal-table.tsx';
import { Message } from './message.tsx';
import { Trail } from './trail.tsx';

/** One exchange with all that is known of it. */
export function Exchange(props: {
  readonly entry: JournalEntry;
  /** Attempts with the same key, this one among them. */
  readonly others: readonly JournalEntry[];
}): JSX.Element {
  const { entry, others } = props;
  const { search } = route.value;
  return (
    <aside class="exchange" aria-label={`Exchange ${entry.number}`} tabIndex={0}>
      <header>
        <h2 class="mono breaks">
          <Status status={entry.status} /> {entry.method} {entry.target}
        </h2>
        <a class="button small" href={address('journal', undefined, search)} title="Esc">
          Close
        </a>
      </header>
      <p class="soft facts">
        #{entry.number} · {dateAndTime(entry.at)} · {duration(entry.durationMs)} ·{' '}
        {entry.operation ?? 'no operation'}
        {' · '}
        {callerName(entry.caller)}
        {entry.delivery === undefined ? ' · under way' : ''}
      </p>
      <Notes entry={entry} />
      <div class="row actions">
        <Replay entry={entry} />
        <CopyAs entry={entry} />
      </div>
      <Attempts entry={entry} others={others} />
      <Trail trail={entry.trail} />
      <Findings entry={entry} />
      <Message
        title="Request"
        place="request"
        message={entry.request}
        findings={entry.requestFindings}
        target={entry.target}
      />
      <Message title="Response" place="response" message={entry.response} findings={entry.responseFindings} />
    </aside>
  );
}

// --- internal ---

function Replay({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const send = async (key: 'same' | 'new'): Promise<void> => {
    const sent = await steer<SentExchange>('POST', `journal/${entry.number}/replay`, { key });
    if (sent === undefined) return;
    notice.value = { kind: 'done', text: `Sent again as #${sent.number}: ${sent.status}` };
    go('journal', String(sent.number), route.value.search);
  };
  return (
    <>
      <button type="button" class="small" onClick={() => void send('same')}>
        {entry.key === undefined ? 'Send again' : 'Send again, same key'}
      </button>
      {entry.key === undefined ? null : (
        <button type="button" class="small" onClick={() => void send('new')}>
          with a new key
        </button>
      )}
    </>
  );
}

function CopyAs({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const request = () => copied(entry, state.value?.url ?? 'http://localhost:4710', state.value?.sample);
  return (
    <>
      <span class="soft apart">Copy</span>
      <CopyButton text={() => asCurl(request())}>curl</CopyButton>
      <CopyButton text={() => asFetch(request())}>fetch</CopyButton>
      <CopyButton text={() => asTest(request())}>test</CopyButton>
      <CopyButton text={() => location.href}>link</CopyButton>
    </>
  );
}

/** What came of the other calls with the same key. */
function Attempts(props: {
  readonly entry: JournalEntry;
  readonly others: readonly JournalEntry[];
}): JSX.Element | null {
  const { entry, others } = props;
  if (others.length < 2) return null;
  return (
    <section>
      <h3>
        {others.length} calls with the key <span class="mono breaks">{entry.key}</span>
      </h3>
      <ol class="attempts">
        {others.slice(-MOST_ATTEMPTS).map((other) => (
          <li key={other.number}>
            <a
              href={address('journal', String(other.number), route.value.search)}
              aria-current={other.number === entry.number ? 'true' : undefined}
            >
              #{other.number}
            </a>{' '}
            <Status status={other.status} /> <Notes entry={other} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const MOST_ATTEMPTS = 12;
