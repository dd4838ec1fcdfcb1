import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallerList } from '../../control/reference-shape.ts';
import type { ScenarioList, ScenarioToForce } from '../../control/steering-shape.ts';
import { callerName } from '../caller-name.ts';
import { controlAddress, notice, steer } from '../control-client.ts';
import { asCurl } from '../copy-as.ts';
import { state } from '../live.ts';
import { List, type Column } from '../list.tsx';
import { ActButton, Badge, CopyButton, Head, SearchField, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { route } from '../route.ts';
import { Palette } from './palette.tsx';

type ScenarioListing = ScenarioList['scenarios'][number];

/** The chosen duration of each scenario that has one, in milliseconds. */
const durations = signal<Readonly<Record<string, number>>>({});

/** For which caller, after how many calls and for how many calls a scenario applies. */
const wish = signal<{ readonly caller: string; readonly after: number; readonly times: number }>({
  caller: '',
  after: 0,
  times: 1,
});

/** All scenarios, and those that are active. */
export function Scenarios(): JSX.Element {
  const { value, problem } = useResource<ScenarioList>('scenarios', ['scenarios', 'journal']);
  const { search } = route.value;
  const words = search.toLowerCase().split(/\s+/);
  const shown = (value?.scenarios ?? []).filter(({ name, does, api }) =>
    words.every((word) => `${name} ${does} ${api}`.toLowerCase().includes(word)),
  );
  const apis = [...new Set(shown.map(({ api }) => api))];
  return (
    <>
      <Head
        title="Scenarios"
        about={`Outcomes on demand. Choose one ${waysOf(value)}, or apply it to the next calls here.`}
      />
      <div class="search">
        <Palette />
      </div>
      <search class="search">
        <SearchField label="Search the scenarios" placeholder="timeout, 503, cut …" value={search} />
        <Wish />
      </search>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Scenarios">
        {value === undefined ? <Waiting problem={problem} /> : <Forced forced={value.forced} />}
        {value !== undefined && shown.length === 0 ? (
          <p class="empty">No scenario matches this search.</p>
        ) : null}
        {apis.map((api) => (
          <section key={api} class="card">
            <h2 class="pad">{titleOf(api)}</h2>
            <List
              columns={columns}
              rows={shown.filter((scenario) => scenario.api === api)}
              nameOf={({ name }) => name}
            />
          </section>
        ))}
      </div>
    </>
  );
}

// --- internal ---

/** How a request chooses a scenario of this mock. */
function waysOf(list: ScenarioList | undefined): string {
  const listed = list?.scenarios ?? [];
  const byModel = listed.some(({ model }) => model !== undefined) ? 'by model id, ' : '';
  const byKey = listed.some(({ key }) => key !== undefined) ? 'by key or ' : '';
  return `${byModel}${byKey}by the Prefer header`;
}

/** The title of the document that the scenarios belong to. */
function titleOf(api: ScenarioListing['api']): string {
  if (api === 'any') return 'Every call';
  const served = (state.value?.apis ?? []).filter(({ scenarios }) => scenarios === api);
  return served.map(({ title }) => title).join(', ') || api;
}

const columns: readonly Column<ScenarioListing>[] = [
  { title: 'Scenario', is: 'name', cell: ({ name }) => <span class="mono">{name}</span> },
  { title: 'What happens', is: 'wide', cell: ({ does }) => does },
  {
    title: 'Copy',
    is: 'wide',
    cell: ({ name, model, key, prefer }) => (
      <span class="row tight">
        {model === undefined ? null : <CopyButton text={() => model}>{model}</CopyButton>}
        {key === undefined ? null : (
          <CopyButton text={() => `${key}${durationIn(name, '-')}`}>{key}</CopyButton>
        )}
        <CopyButton text={() => `Prefer: ${prefer}${durationIn(name, ';ms=')}`}>Prefer</CopyButton>
        <CopyButton text={() => controlCall(name)}>curl</CopyButton>
      </span>
    ),
  },
  { title: 'Apply', is: 'acts', cell: (scenario) => <Force scenario={scenario} /> },
];

function Force({ scenario: { name, ms } }: { readonly scenario: ScenarioListing }): JSX.Element {
  const force = async (times: number | null): Promise<void> => {
    const done = await steer('POST', 'scenarios', wishFor(name, times));
    if (done !== undefined) notice.value = { kind: 'done', text: `Active: ${name}` };
  };
  const { times } = wish.value;
  return (
    <>
      {ms === undefined ? null : (
        <label class="wish">
          <input
            type="number"
            class="count long"
            aria-label={`Milliseconds of ${name}`}
            min={ms.least}
            max={ms.most}
            placeholder={String(ms.usual)}
            value={durations.value[name] ?? ''}
            onInput={({ currentTarget: { valueAsNumber: wanted } }) => {
              const { [name]: _before, ...others } = durations.value;
              durations.value = Number.isInteger(wanted) ? { ...others, [name]: wanted } : others;
            }}
          />
          ms
        </label>
      )}
      <ActButton act={() => force(times)}>{times === 1 ? 'Next call' : `Next ${times} calls`}</ActButton>
      <ActButton act={() => force(null)}>Always</ActButton>
    </>
  );
}

function wishFor(name: string, times: number | null): ScenarioToForce {
  const { caller, after } = wish.value;
  const ms = durations.value[name];
  return {
    name,
    after,
    times,
    ...(caller === '' ? {} : { caller }),
    ...(ms === undefined ? {} : { ms }),
  };
}

function durationIn(name: string, before: string): string {
  const ms = durations.value[name];
  return ms === undefined ? '' : `${before}${ms}`;
}

/** The same for a script. */
function controlCall(name: string): string {
  const body = JSON.stringify(wishFor(name, wish.value.times));
  return asCurl({
    method: 'POST',
    url: new URL(controlAddress('scenarios'), location.href).href,
    headers: [['Content-Type', 'application/json']],
    body,
  });
}

function Wish(): JSX.Element {
  const { value } = useResource<CallerList>('callers', ['journal']);
  return (
    <fieldset class="wish">
      <legend class="unseen">Apply</legend>
      <label>
        for
        <select
          value={wish.value.caller}
          onChange={({ currentTarget }) => (wish.value = { ...wish.value, caller: currentTarget.value })}
        >
          <option value="">every caller</option>
          {(value?.callers ?? []).map(({ caller }) => (
            <option key={caller} value={caller}>
              {callerName(caller)}
            </option>
          ))}
        </select>
      </label>
      <CountField label="skip" title="Number of calls to skip first" name="after" least={0} />
      <CountField label="calls" title="Number of calls to affect" name="times" least={1} />
    </fieldset>
  );
}

/** While a number is being typed, the text may not be a number: then the last valid one applies. */
function CountField(props: {
  readonly label: string;
  readonly title: string;
  readonly name: 'after' | 'times';
  readonly least: number;
}): JSX.Element {
  const { label, title, name, least } = props;
  const [typed, type] = useState<string>();
  return (
    <label title={title}>
      {label}
      <input
        type="number"
        class="count"
        min={least}
        max={999}
        value={typed ?? wish.value[name]}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
          const number = currentTarget.valueAsNumber;
          if (Number.isInteger(number) && number >= least) wish.value = { ...wish.value, [name]: number };
        }}
        onBlur={() => {
          type(undefined);
        }}
      />
    </label>
  );
}

/** Stopped scenarios can be restored with their remaining calls. */
async function stop(path: string, stopped: ScenarioList['forced']): Promise<void> {
  if ((await steer('DELETE', path)) === undefined) return;
  const again = async (): Promise<void> => {
    for (const { seen, after, times, ...rest } of stopped) {
      const left = times === null ? null : Math.min(times, after + times - seen);
      await steer('POST', 'scenarios', { ...rest, after: Math.max(0, after - seen), times: left });
    }
  };
  const names = stopped.map(({ name }) => name).join(', ');
  notice.value = { kind: 'done', text: `Stopped: ${names}.`, undo: () => void again() };
}

function Forced({ forced }: { readonly forced: ScenarioList['forced'] }): JSX.Element | null {
  const working = forced.filter(({ after, times, seen }) => times === null || seen < after + times);
  if (working.length === 0) return null;
  return (
    <section class="card pad forced">
      <div class="row">
        <h2>Active</h2>
        <ActButton act={() => stop('scenarios', working)}>Stop all</ActButton>
      </div>
      <ul>
        {working.map(({ name, caller, after, times, seen, ms }, index) => (
          <li key={index} class="row">
            <Badge tone="odd">{name}</Badge>
            <span>
              {after > seen ? `after ${after - seen} more, ` : ''}
              {times === null ? 'always' : `${Math.min(times, after + times - seen)} of ${times} left`}
              {', for '}
              {caller === undefined ? 'every caller' : callerName(caller)}
              {ms === undefined ? '' : `, ${ms} ms`}
            </span>
            <ActButton
              act={() =>
                stop(
                  `scenarios/${encodeURIComponent(name)}`,
                  working.filter((each) => each.name === name),
                )
              }
            >
              Stop
            </ActButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
