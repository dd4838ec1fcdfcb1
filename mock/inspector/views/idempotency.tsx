import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { KeyList, KeyShape } from '../../control-shape.ts';
import { callerName } from '../caller-name.ts';
import { dateAndTime, duration } from '../clock-time.ts';
import { steer } from '../control-client.ts';
import { useRows } from '../keyboard.ts';
import { useNow } from '../now.ts';
import { Badge, Head, Waiting, type Tone } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address, route } from '../route.ts';

/** What the mock remembers of keys: the two kinds of them beside each other. */
export function Idempotency(): JSX.Element {
  const { value, problem } = useResource<KeyList>('keys', ['keys', 'clock']);
  const keys = value?.keys ?? NONE;
  useRows(useMemo(() => keys.map(({ id }) => id), [keys]));
  const now = useNow();
  return (
    <>
      <Head
        title="Idempotency"
        about="What is remembered of each key, and until when on the clock of the mock."
      >
        <button type="button" disabled={keys.length === 0} onClick={() => void steer('DELETE', 'keys')}>
          Forget all
        </button>
      </Head>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Keys">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : (
          <>
            <Keys
              title="Answers are replayed"
              about="A second call with the key and the same body gets the recorded answer, byte for byte, and costs nothing. Another body, or a key whose answer could not be kept, is refused."
              keys={keys.filter(({ semantics }) => semantics === 'replay')}
              now={now}
            />
            <Keys
              title="Keys are good once"
              about="A second submission with the key is refused, whatever its body: the client looks for the job that the first one made."
              keys={keys.filter(({ semantics }) => semantics === 'single-use')}
              now={now}
            />
          </>
        )}
      </div>
    </>
  );
}

// --- internal ---

const NONE: readonly KeyShape[] = [];

function Keys(props: {
  readonly title: string;
  readonly about: string;
  readonly keys: readonly KeyShape[];
  readonly now: number | undefined;
}): JSX.Element {
  const { title, about, keys, now } = props;
  return (
    <section class="card">
      <div class="pad">
        <h2>{title}</h2>
        <p class="soft">{about}</p>
      </div>
      {keys.length === 0 ? (
        <p class="pad soft">No key yet.</p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Caller</th>
              <th scope="col">State</th>
              <th scope="col">Calls</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span class="unseen">What can be done</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <Key key={key.id} shown={key} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Key({ shown, now }: { readonly shown: KeyShape; readonly now: number | undefined }): JSX.Element {
  const { id, api, key, caller, state, expiresAt, exchanges } = shown;
  const expired = expiresAt !== undefined && now !== undefined && expiresAt <= now;
  return (
    <tr class={route.value.row === id ? 'chosen' : undefined}>
      <td class="mono breaks">
        {key} <span class="soft">{api}</span>
      </td>
      <td>{callerName(caller)}</td>
      <td>
        <Badge tone={expired ? 'none' : (tones[state] ?? 'none')}>{expired ? 'expired' : state}</Badge>
      </td>
      <td>
        {exchanges.slice(-MOST_CALLS).map((number) => (
          <>
            <a key={number} href={address('journal', String(number))}>
              #{number}
            </a>{' '}
          </>
        ))}
      </td>
      <td>
        {expiresAt === undefined ? (
          <span class="soft">when its call has ended</span>
        ) : (
          <span title={dateAndTime(expiresAt)}>
            {expired || now === undefined ? 'its next use is a new one' : `in ${duration(expiresAt - now)}`}
          </span>
        )}
      </td>
      <td>
        <span class="row end">
          <button
            type="button"
            class="small"
            disabled={expiresAt === undefined || expired}
            onClick={() => void steer('POST', `keys/${encodeURIComponent(id)}`)}
          >
            Expire now
          </button>
          <button
            type="button"
            class="small"
            onClick={() => void steer('DELETE', `keys/${encodeURIComponent(id)}`)}
          >
            Forget
          </button>
        </span>
      </td>
    </tr>
  );
}

const MOST_CALLS = 8;

const tones: Readonly<Record<string, Tone>> = {
  'in-flight': 'info',
  submitting: 'info',
  recorded: 'good',
  claimed: 'good',
  collecting: 'odd',
  consumed: 'warn',
};
