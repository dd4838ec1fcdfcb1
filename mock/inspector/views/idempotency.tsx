import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { KeyList, KeyShape } from '../../control/steering-shape.ts';
import { callerName } from '../caller-name.ts';
import { dateAndTime, duration } from '../clock-time.ts';
import { steer, undoably } from '../control-client.ts';
import { useRows } from '../keyboard.ts';
import { useNow } from '../now.ts';
import { List, type Column } from '../list.tsx';
import { ActButton, Badge, Head, ExchangeNumbers, Waiting, type Tone } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { route } from '../route.ts';
import { ServedOnly } from './served-only.tsx';

/** The idempotency keys that the mock remembers, in two lists by kind. */
export function Idempotency(): JSX.Element {
  return (
    <ServedOnly resource="keys" title="Idempotency" what="idempotency keys">
      <AllKeys />
    </ServedOnly>
  );
}

// --- internal ---

function AllKeys(): JSX.Element {
  const { value, problem } = useResource<KeyList>('keys', ['keys', 'clock']);
  const keys = value?.keys ?? NONE;
  useRows(
    'keys',
    useMemo(() => value?.keys.map(({ id }) => id), [value]),
  );
  const now = useNow();
  return (
    <>
      <Head title="Idempotency" about="The state of each key, and when it expires by the mock's clock.">
        <ActButton
          class=""
          disabled={keys.length === 0}
          act={() => undoably(`Forgotten: ${keys.length} keys.`, () => steer('DELETE', 'keys'))}
        >
          Forget all
        </ActButton>
      </Head>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Keys">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : keys.length === 0 ? (
          <p class="empty">No keys yet. The key of a call appears here with its state.</p>
        ) : (
          <>
            <Keys
              title="Answers are replayed"
              about="A second call with the key and the same body gets the recorded answer, byte for byte, and costs nothing. Another body, or a key whose answer could not be kept, is refused."
              keys={keys.filter(({ semantics }) => semantics === 'replay')}
              now={now}
            />
            <Keys
              title="Keys can be used once"
              about="A second call with the key is refused, whatever its body: the client has to look for what the first one created."
              keys={keys.filter(({ semantics }) => semantics === 'single-use')}
              now={now}
            />
          </>
        )}
      </div>
    </>
  );
}

const NONE: readonly KeyShape[] = [];

function Keys(props: {
  readonly title: string;
  readonly about: string;
  readonly keys: readonly KeyShape[];
  readonly now: number | undefined;
}): JSX.Element | null {
  const { title, about, keys, now } = props;
  if (keys.length === 0) return null;
  return (
    <section class="card">
      <div class="pad">
        <h2>{title}</h2>
        <p class="soft">{about}</p>
      </div>
      <List columns={columnsAt(now)} rows={keys} nameOf={({ id }) => id} chosen={route.value.row} />
    </section>
  );
}

function columnsAt(now: number | undefined): readonly Column<KeyShape>[] {
  const isOver = ({ expiresAt }: KeyShape): boolean =>
    expiresAt !== undefined && now !== undefined && expiresAt <= now;
  return [
    {
      title: 'Key',
      is: 'name',
      cell: ({ key, api }) => (
        <span class="mono breaks">
          {key} <span class="soft">{api}</span>
        </span>
      ),
    },
    { title: 'Caller', cell: ({ caller }) => <span class="breaks">{callerName(caller)}</span> },
    {
      title: 'State',
      cell: (key) => (
        <Badge tone={isOver(key) ? 'none' : (tones[key.state] ?? 'none')}>
          {isOver(key) ? 'expired' : key.state}
        </Badge>
      ),
    },
    {
      title: 'Calls',
      cell: ({ exchanges }) => <ExchangeNumbers of={exchanges} most={MOST_CALLS} />,
    },
    {
      title: 'Expires',
      is: 'short',
      cell: (key) =>
        key.expiresAt === undefined ? (
          <span class="soft">when its call ends</span>
        ) : (
          <span title={dateAndTime(key.expiresAt)}>
            {isOver(key) || now === undefined
              ? 'the next use counts as a new call'
              : `in ${duration(key.expiresAt - now)}`}
          </span>
        ),
    },
    {
      title: 'Actions',
      is: 'acts',
      cell: (key) => (
        <>
          <ActButton
            disabled={key.expiresAt === undefined || isOver(key)}
            act={() => steer('POST', `keys/${encodeURIComponent(key.id)}`)}
          >
            Expire now
          </ActButton>
          <ActButton
            act={() =>
              undoably(`Forgotten: ${key.key}.`, () => steer('DELETE', `keys/${encodeURIComponent(key.id)}`))
            }
          >
            Forget
          </ActButton>
        </>
      ),
    },
  ];
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
