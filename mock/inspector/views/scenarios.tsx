import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { CallerList, ScenarioList, ScenarioToForce } from '../../control-shape.ts';
import { callerName } from '../caller-name.ts';
import { controlAddress, notice, steer } from '../control-client.ts';
import { asCurl } from '../copy-as.ts';
import { Badge, CopyButton, Head, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { replaceSearch, route } from '../route.ts';

/** For whom, after how many calls and how often a scenario is to work. */
const wish = signal<{ readonly caller: string; readonly after: number; readonly times: number }>({
  caller: '',
  after: 0,
  times: 1,
});

/** What the mock does on demand, and what of it is on its way. */
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
        about="Any outcome on demand: by a model id, by a key, by a Prefer header, or from here on the next calls of everybody."
      />
      <search class="search">
        <input
          type="search"
          aria-label="Search the scenarios"
          placeholder="timeout, credits, job …     /"
          value={search}
          onInput={(event) => {
            replaceSearch(event.currentTarget.value);
          }}
        />
        <Wish />
      </search>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Scenarios">
        {value === undefined ? <Waiting problem={problem} /> : <Forced forced={value.forced} />}
        {value !== undefined && shown.length === 0 ? <p class="empty">No scenario is called so.</p> : null}
        {apis.map((api) => (
          <section key={api} class="card">
            <h2 class="pad">{titles[api]}</h2>
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Scenario</th>
                  <th scope="col">What happens</th>
                  <th scope="col">Without this page</th>
                  <th scope="col">
                    <span class="unseen">From here</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown
                  .filter((scenario) => scenario.api === api)
                  .map((scenario) => (
                    <Row key={scenario.name} scenario={scenario} />
                  ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </>
  );
}

// --- internal ---

const titles: Readonly<Record<ScenarioList['scenarios'][number]['api'], string>> = {
  any: 'Every call',
  router: 'Model router',
  registry: 'Registry and proxy',
  jobs: 'Workflow jobs',
};

function Row({ scenario }: { readonly scenario: ScenarioList['scenarios'][number] }): JSX.Element {
  const { name, does, model, key, prefer } = scenario;
  const force = async (times: number | null): Promise<void> => {
    const { caller, after } = wish.value;
    const body: ScenarioToForce = { name, after, times, ...(caller === '' ? {} : { caller }) };
    const done = await steer('POST', 'scenarios', body);
    if (done !== undefined) notice.value = { kind: 'done', text: `On its way: ${name}` };
  };
  return (
    <tr>
      <td class="mono name">{name}</td>
      <td>{does}</td>
      <td>
        <span class="row">
          {model === undefined ? null : <CopyButton text={() => model}>{model}</CopyButton>}
          {key === undefined ? null : <CopyButton text={() => key}>{key}</CopyButton>}
          <CopyButton text={() => `Prefer: ${prefer}`}>Prefer</CopyButton>
          <CopyButton text={() => controlCall(name)}>control call</CopyButton>
        </span>
      </td>
      <td>
        <span class="row end">
          <button type="button" class="small" onClick={() => void force(wish.value.times)}>
            {wish.value.times === 1 ? 'Next call' : `Next ${wish.value.times} calls`}
          </button>
          <button type="button" class="small" onClick={() => void force(null)}>
            Always
          </button>
        </span>
      </td>
    </tr>
  );
}

/** The same for a script. */
function controlCall(name: string): string {
  const { caller, after, times } = wish.value;
  const body = JSON.stringify({ name, after, times, ...(caller === '' ? {} : { caller }) });
  return asCurl({
    method: 'POST',
    url: new URL(controlAddress('scenarios'), location.href).href,
    headers: [['Content-Type', 'application/json']],
    body,
    status: 200,
  });
}

function Wish(): JSX.Element {
  const { value } = useResource<CallerList>('callers', ['journal']);
  const count = (name: 'after' | 'times', least: number, label: string): JSX.Element => (
    <label class="row">
      <span class="soft">{label}</span>
      <input
        type="number"
        class="count"
        min={least}
        max={999}
        value={wish.value[name]}
        onInput={({ currentTarget }) => {
          const number = Math.trunc(Number(currentTarget.value));
          wish.value = { ...wish.value, [name]: Math.max(least, Number.isNaN(number) ? least : number) };
        }}
      />
    </label>
  );
  return (
    <>
      <label class="row">
        <span class="soft">for</span>
        <select
          value={wish.value.caller}
          onChange={({ currentTarget }) => (wish.value = { ...wish.value, caller: currentTarget.value })}
        >
          <option value="">everybody</option>
          {(value?.callers ?? []).map(({ caller }) => (
            <option key={caller} value={caller}>
              {callerName(caller)}
            </option>
          ))}
        </select>
      </label>
      {count('after', 0, 'after')}
      {count('times', 1, 'calls')}
    </>
  );
}

function Forced({ forced }: { readonly forced: ScenarioList['forced'] }): JSX.Element | null {
  const working = forced.filter(({ after, times, seen }) => times === null || seen < after + times);
  if (working.length === 0) return null;
  return (
    <section class="card pad forced">
      <div class="row">
        <h2>On their way</h2>
        <button type="button" class="small" onClick={() => void steer('DELETE', 'scenarios')}>
          Stop all
        </button>
      </div>
      <ul>
        {working.map(({ name, caller, after, times, seen }, index) => (
          <li key={index} class="row">
            <Badge tone="odd">{name}</Badge>
            <span>
              {after > seen ? `after ${after - seen} more, ` : ''}
              {times === null ? 'always' : `${Math.min(times, after + times - seen)} of ${times} to come`}
              {', for '}
              {caller === undefined ? 'everybody' : callerName(caller)}
            </span>
            <button
              type="button"
              class="small"
              onClick={() => void steer('DELETE', `scenarios/${encodeURIComponent(name)}`)}
            >
              Stop
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
