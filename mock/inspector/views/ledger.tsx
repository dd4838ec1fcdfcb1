import type { JSX } from 'preact';
import type { Ledger as LedgerShape, LedgerLine } from '../../control-shape.ts';
import { callerName } from '../caller-name.ts';
import { Badge, Head, Waiting, type Tone } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address } from '../route.ts';

/** "Does my retry charge twice?": what the calls of the journal would have cost. */
export function Ledger(): JSX.Element {
  const { value, problem } = useResource<LedgerShape>('ledger', ['journal', 'models']);
  return (
    <>
      <Head
        title="Ledger"
        about="Does my retry charge twice? Each run with all its attempts, and what it would have cost."
      />
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Ledger">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : value.lines.length === 0 ? (
          <p class="empty">No model has been run yet.</p>
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
      <h2>{twice > 0 ? `Yes: ${times} charged more than once` : 'No: no run is charged more than once'}</h2>
      <p class="soft">
        {lines.length} runs · {count('once')} charged once · {count('never')} not charged
        {unknown > 0 ? ` · of ${unknown} the contract does not say` : ''}.
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
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Caller</th>
            <th scope="col">Attempts</th>
            <th scope="col" class="number">
              Reached the model
            </th>
            <th scope="col" class="number">
              Replayed
            </th>
            <th scope="col">Charged</th>
            <th scope="col" class="number">
              US cents
            </th>
          </tr>
        </thead>
        <tbody>
          {[...lines].reverse().map((line) => (
            <tr key={`${line.caller} ${line.key ?? ''} ${line.model} ${line.exchanges[0] ?? ''}`}>
              <td class="breaks">
                <span class="mono">{line.model}</span>
                <br />
                <span class="mono soft">{line.key ?? 'without a key'}</span>
              </td>
              <td>{callerName(line.caller === '' ? undefined : line.caller)}</td>
              <td>
                {line.exchanges.slice(-MOST_ATTEMPTS).map((number) => (
                  <>
                    <a key={number} href={address('journal', String(number))}>
                      #{number}
                    </a>{' '}
                  </>
                ))}
              </td>
              <td class="number">{line.dispatched}</td>
              <td class="number">{line.replayed}</td>
              <td>
                <Badge tone={tones[line.charged]}>
                  {line.charged === 'more than once' ? `${line.billed} times` : line.charged}
                </Badge>
              </td>
              <td class="number">{line.cents}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Sums({ sums }: { readonly sums: LedgerShape['byCaller'] }): JSX.Element {
  return (
    <section class="card">
      <h2 class="pad">By caller</h2>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Caller</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Charged
            </th>
            <th scope="col" class="number">
              US cents
            </th>
          </tr>
        </thead>
        <tbody>
          {sums.map(({ caller, calls, billed, cents }) => (
            <tr key={caller}>
              <td>{callerName(caller === '' ? undefined : caller)}</td>
              <td class="number">{calls}</td>
              <td class="number">{billed}</td>
              <td class="number">{cents}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
