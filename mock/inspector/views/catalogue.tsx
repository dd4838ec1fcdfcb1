import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ModelList } from '../../control-shape.ts';
import { notice, steer } from '../control-client.ts';
import { Badge, Head, Waiting, type Tone } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { replaceSearch, route } from '../route.ts';
import { ServedOnly } from './served-only.tsx';

type ModelShape = ModelList['models'][number];

/** The models of the mock: to be released, hidden, added and taken away, also in the middle of somebody's walk. */
export function Catalogue(): JSX.Element {
  return (
    <ServedOnly api="router" title="Catalogue" what="model router">
      <Served />
    </ServedOnly>
  );
}

// --- internal ---

function Served(): JSX.Element {
  const { value, problem } = useResource<ModelList>('models', ['models']);
  const { search } = route.value;
  const shown = (value?.models ?? []).filter(({ id }) => id.includes(search.trim().toLowerCase()));
  const rebuild = async (): Promise<void> => {
    const done = await steer('POST', 'models', { do: 'rebuild' });
    if (done !== undefined) notice.value = { kind: 'done', text: 'Cursors of before are none any more.' };
  };
  return (
    <>
      <Head
        title="Catalogue"
        about="The models that callers see. Changes work at once, also in the middle of somebody's walk through the pages."
      >
        <button type="button" onClick={() => void rebuild()}>
          As if rebuilt
        </button>
      </Head>
      <search class="search">
        <input
          type="search"
          aria-label="Search the models"
          placeholder="part of an id     /"
          value={search}
          onInput={(event) => {
            replaceSearch(event.currentTarget.value);
          }}
        />
        <AddModel />
      </search>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Models">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : shown.length === 0 ? (
          <p class="empty">No model is called so.</p>
        ) : (
          <section class="card">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Model</th>
                  <th scope="col">State</th>
                  <th scope="col">Charges for what it refuses</th>
                  <th scope="col">Schema of its input</th>
                  <th scope="col" class="number">
                    US cents
                  </th>
                  <th scope="col">
                    <span class="unseen">What can be done</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((model) => (
                  <Row key={model.id} model={model} />
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
    </>
  );
}

const charges: Readonly<Record<string, Tone>> = { yes: 'bad', no: 'good', unknown: 'warn' };

function Row({ model }: { readonly model: ModelShape }): JSX.Element {
  const { id, provider, state, chargesOnPolicyRejection, inputSchema, cents } = model;
  const path = `models/${encodeURIComponent(provider)}/${encodeURIComponent(model.model)}`;
  return (
    <tr>
      <td class="mono breaks">{id}</td>
      <td>
        <select
          aria-label={`State of ${id}`}
          value={state}
          onChange={({ currentTarget }) => void steer('PATCH', path, { state: currentTarget.value })}
        >
          <option value="listed">listed</option>
          <option value="unreleased">unreleased</option>
          <option value="trimmed">trimmed</option>
        </select>
      </td>
      <td>
        <Badge tone={charges[chargesOnPolicyRejection] ?? 'none'}>{chargesOnPolicyRejection}</Badge>
      </td>
      <td class="soft">{inputSchema === undefined ? 'stand-in that allows any object' : 'its own'}</td>
      <td class="number">{cents}</td>
      <td>
        <span class="row end">
          <button type="button" class="small" onClick={() => void steer('DELETE', path)}>
            Take away
          </button>
        </span>
      </td>
    </tr>
  );
}

function AddModel(): JSX.Element {
  const [id, setId] = useState('');
  const [provider = '', model = ''] = id.split('/');
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const path = `models/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`;
    if ((await steer('PUT', path, {})) !== undefined) setId('');
  };
  return (
    <form class="row" onSubmit={(event) => void add(event)}>
      <input
        type="text"
        aria-label="Id of a new model"
        placeholder="acme/new-model"
        value={id}
        onInput={(event) => {
          setId(event.currentTarget.value.trim());
        }}
      />
      <button type="submit" disabled={provider === '' || model === '' || id.split('/').length > 2}>
        Add
      </button>
    </form>
  );
}
