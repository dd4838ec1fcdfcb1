import type { JSX } from 'preact';
import { parsed } from '../json-lines.ts';
import { exchangeAt } from '../live.ts';
import { Status } from '../parts.tsx';
import { address } from '../route.ts';
import { answer } from './draft.ts';
import { JsonBlock } from './json-block.tsx';
import { Trail } from './trail.tsx';

/** The answer to the composed request, with its reasons. */
export function Answer(): JSX.Element {
  const sent = answer.value;
  const entry = sent?.number === undefined ? undefined : exchangeAt(String(sent.number));
  const isStream =
    sent?.headers.some(
      ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('text/event-stream'),
    ) === true;
  const json = sent === undefined || isStream ? undefined : parsed(sent.body);
  return (
    <section class="answered" aria-label="Answer" aria-live="polite" tabIndex={0}>
      <h2 class="unseen">Answer</h2>
      {sent === undefined ? (
        <p class="empty">The answer will appear here.</p>
      ) : (
        <>
          <p class="row">
            <Status status={sent.status} />
            {sent.delivery === undefined ? <span class="soft">in progress</span> : null}
            {sent.number === undefined ? null : (
              <a href={address('journal', String(sent.number))}>#{sent.number} in the journal</a>
            )}
          </p>
          {sent.headers.length === 0 ? null : (
            <dl class="pairs">
              {sent.headers.map(([name, value], index) => (
                <div key={index}>
                  <dt class="mono">{name}</dt>
                  <dd class="mono breaks">{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {isStream ? <Frames text={sent.body} /> : null}
          {json === undefined ? (
            isStream || sent.body === '' ? null : (
              <pre class="code" tabIndex={0} aria-label="Body">
                {sent.body.slice(0, MOST_SHOWN)}
              </pre>
            )
          ) : (
            <JsonBlock label="Body" value={json} />
          )}
          {entry === undefined ? null : <Trail title="Why this answer" trail={entry.trail} />}
        </>
      )}
    </section>
  );
}

// --- internal ---

/** The events of a stream as they arrive, newest last. */
function Frames({ text }: { readonly text: string }): JSX.Element {
  const frames = text.split('\n\n').filter((frame) => frame.trim() !== '');
  return (
    <section>
      <h3>{frames.length} frames</h3>
      <ol class="frames">
        {frames.slice(-MOST_FRAMES).map((frame, index) => (
          <li key={index} class="mono breaks">
            {frame.slice(0, LONGEST_FRAME)}
          </li>
        ))}
      </ol>
    </section>
  );
}

const MOST_SHOWN = 16_000;
const MOST_FRAMES = 100;
const LONGEST_FRAME = 1_000;
