import type { JSX } from 'preact';
import type { Ledger as LedgerShape, LedgerLine } from '../../journal/ledger-shape.ts';
import { callerName } from '../caller-name.ts';
import { Count, List, type Column } from '../list.tsx';
import { Badge, Head, ExchangeNumbers, Waiting, type Tone } from '../parts.tsx';
import { useResource } from '../resource.ts';

/** What the calls of the journal would have cost. */
export function LedgerView(): JSX.Element {
  const { value, problem } = useResource<LedgerShape>('ledger', ['journal', 'models']);
  return (
    <>
      <Head title="Ledger" about="Does a retry charge twice? Each run with its attempts and its cost." />
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Ledger">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : value.lines.length === 0 ? (
          <p class="empty">No model runs yet.</p>
        ) : (
          <>
            <Answer lines={value.lines} />
            <Lines lines={value.lines} />
            <Sums sums={value.byCaller} />
          </>
        )}
      </div>
    </>
  );
}

// --- internal ---

function Answer({ lines }: { readonly lines: readonly LedgerLine[] }): JSX.Element {
  const count = (charged: LedgerLine['charged']): number =>
    lines.filter((line) => line.charged === charged).length;
  const twice = count('more than once');
  const unknown = count('unknown');
  const tone: Tone = twice > 0 ? 'bad' : unknown > 0 ? 'warn' : 'good';
  const times = twice === 1 ? '1 run is' : `${twice} runs are`;
  return (
    <section class="card pad answer" data-tone={tone}>
      <h2>
        {twice > 0
          ? `Yes: ${times} charged more than once`
          : unknown > 0
            ? 'No, as far as the contract states'
            : 'No: no run is charged more than once'}
      </h2>
      <p class="soft">
        {lines.length} {lines.length === 1 ? 'run' : 'runs'} · {count('once')} charged once · {count('never')}{' '}
        not charged
        {unknown > 0 ? ` · ${unknown} not stated by the contract` : ''}.
        {lines.some(({ key, billed }) => key === undefined && billed > 1)
          ? ' Calls without a key count as attempts of one run where their bodies are the same: give each run a key, and its retry the same one.'
          : ''}
      </p>
    </section>
  );
}

function Lines({ lines }: { readonly lines: readonly LedgerLine[] }): JSX.Element {
  return (
    <section class="card">
      <List
        columns={columns}
        rows={[...lines].reverse()}
        nameOf={({ caller, key, model, exchanges }) =>
          `${caller} ${key ?? ''} ${model} ${exchanges[0] ?? ''}`
        }
      />
    </section>
  );
}

function Sums({ sums }: { readonly sums: LedgerShape['byCaller'] }): JSX.Element {
  return (
    <section class="card">
      <h2 class="pad">By caller</h2>
      <List columns={sumColumns} rows={sums} nameOf={({ caller }) => caller} />
    </section>
  );
}

const MOST_ATTEMPTS = 10;

const tones: Readonly<Record<LedgerLine['charged'], Tone>> = {
  never: 'none',
  once: 'good',
  'more than once': 'bad',
  unknown: 'warn',
};

const columns: readonly Column<LedgerLine>[] = [
  {
    title: 'Run',
    is: 'name',
    cell: ({ model, key }) => (
      <span class="breaks">
        <span class="mono">{model}</span>
        <br />
        <span class="mono soft">{key ?? 'without a key'}</span>
      </span>
    ),
  },
  { title: 'Caller', cell: ({ caller }) => <span class="breaks">{nameOf(caller)}</span> },
  { title: 'Attempts', cell: ({ exchanges }) => <ExchangeNumbers of={exchanges} most={MOST_ATTEMPTS} /> },
  { title: 'Reached the model', is: 'number', cell: ({ dispatched }) => <Count of={dispatched} /> },
  { title: 'Replayed', is: 'number', cell: ({ replayed }) => <Count of={replayed} /> },
  {
    title: 'Charged',
    cell: ({ charged, billed }) => (
      <Badge tone={tones[charged]}>{charged === 'more than once' ? `${billed} times` : charged}</Badge>
    ),
  },
  { title: 'US cents', is: 'number', cell: ({ cents }) => <Count of={cents} /> },
];

const sumColumns: readonly Column<LedgerShape['byCaller'][number]>[] = [
  { title: 'Caller', is: 'name', cell: ({ caller }) => nameOf(caller) },
  { title: 'Calls', is: 'number', cell: ({ calls }) => <Count of={calls} /> },
  { title: 'Charged', is: 'number', cell: ({ billed }) => <Count of={billed} /> },
  { title: 'US cents', is: 'number', cell: ({ cents }) => <Count of={cents} /> },
];

function nameOf(caller: string): string {
  return callerName(caller === '' ? undefined : caller);
}
