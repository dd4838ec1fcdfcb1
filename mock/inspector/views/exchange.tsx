import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SentExchange } from '../../control/calls-shape.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { callerName } from '../caller-name.ts';
import { dateAndTime, duration } from '../clock-time.ts';
import { notice, steer } from '../control-client.ts';
import { asCurl, asFetch, asTest, copied } from '../copy-as.ts';
import { canSend, readExchange, state } from '../live.ts';
import { ActButton, CopyButton, Elapsed, Status } from '../parts.tsx';
import { address, go, route } from '../route.ts';
import { Findings } from './findings.tsx';
import { hasAnswer, Notes } from './journal-table.tsx';
import { Message } from './message.tsx';
import { Trail } from './trail.tsx';

/** One exchange in full. */
export function ExchangeView(props: {
  readonly entry: JournalEntry;
  /** When the call began, by the clock of this machine; `undefined` if it has ended. */
  readonly since: number | undefined;
  /** All attempts with the same key, including this one. */
  readonly others: readonly JournalEntry[];
}): JSX.Element {
  const { entry, since, others } = props;
  const { search } = route.value;
  const isAnswered = hasAnswer(entry);
  const place = useRef<HTMLElement>(null);
  // One element for all exchanges: a button that opens another exchange stays in place and keeps its focus.
  useLayoutEffect(() => {
    if (place.current !== null) place.current.scrollTop = 0;
  }, [entry.id]);
  return (
    <aside
      ref={place}
      class="exchange"
      aria-label={isAnswered ? `Exchange ${entry.number}` : 'Exchange in progress'}
      tabIndex={0}
    >
      <header>
        <h2 class="mono breaks">
          <Status status={isAnswered ? entry.status : undefined} /> {entry.method} {entry.target}
        </h2>
        <a class="button small" href={address('journal', undefined, search)} title="Esc">
          Close
        </a>
      </header>
      <p class="soft facts">
        {isAnswered ? `#${entry.number} · ` : ''}
        {dateAndTime(entry.at)} ·{' '}
        {since === undefined ? (
          duration(entry.durationMs)
        ) : (
          <>
            in progress for <Elapsed since={since} />
          </>
        )}
        {' · '}
        {entry.operation ?? 'no operation'}
        {' · '}
        {callerName(entry.caller)}
      </p>
      <Notes entry={entry} />
      {isAnswered ? (
        <Answered entry={entry} others={others} />
      ) : (
        <>
          <Trail title="Decisions so far" trail={entry.trail} />
          <p class="soft">
            No answer yet. The call continues when the <a href={address('clock')}>clock</a> or{' '}
            <a href={address('jobs')}>a job</a> advances.
          </p>
        </>
      )}
    </aside>
  );
}

// --- internal ---

function Answered(props: {
  readonly entry: JournalEntry;
  readonly others: readonly JournalEntry[];
}): JSX.Element {
  const { entry, others } = props;
  return (
    <>
      <div class="row actions">
        <Replay entry={entry} />
        <CopyAs entry={entry} />
      </div>
      <Attempts entry={entry} others={others} />
      <Trail title="Why this answer" trail={entry.trail} />
      <Findings entry={entry} />
      <Message
        title="Request"
        place="request"
        message={entry.request}
        findings={entry.requestFindings}
        target={entry.target}
      />
      <Message title="Response" place="response" message={entry.response} findings={entry.responseFindings} />
    </>
  );
}

function Replay({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const send = async (key: 'same' | 'new'): Promise<void> => {
    const sent = await steer<SentExchange>('POST', `journal/${entry.number}/replay`, { key });
    if (sent === undefined) return;
    const answer = sent.delivery === 'dropped' ? 'cut' : sent.status;
    notice.value = { kind: 'done', text: `Sent again as #${sent.number}: ${answer}` };
    await readExchange(sent.number);
    // The reader may have opened another view while the answer was on its way.
    const { view, row, search } = route.value;
    if (view === 'journal' && row === String(entry.number)) go('journal', String(sent.number), search);
  };
  if (!canSend()) return <></>;
  return (
    <>
      <ActButton act={() => send('same')}>
        {entry.key === undefined ? 'Send again' : 'Send again, same key'}
      </ActButton>
      {entry.key === undefined ? null : <ActButton act={() => send('new')}>Send again, new key</ActButton>}
    </>
  );
}

function CopyAs({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const request = () =>
    copied(
      entry,
      state.value?.url ?? 'http://localhost:4710',
      state.value?.apis.find(({ name }) => name === entry.api)?.credential,
    );
  const { missing = [] } = request();
  return (
    <>
      <span class="soft apart">Copy</span>
      <CopyButton text={() => asCurl(request())}>curl</CopyButton>
      <CopyButton text={() => asFetch(request())}>fetch</CopyButton>
      <CopyButton text={() => asTest(request())}>test</CopyButton>
      <CopyButton text={() => location.href}>link</CopyButton>
      {missing.length === 0 ? null : <span class="soft">Fill in: {missing.join('; ')}</span>}
    </>
  );
}

/** The other calls with the same key, and their answers. */
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
