import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ModelList } from '../../apis/router/control-shape.ts';
import { notice, steer, undoably } from '../control-client.ts';
import { List, type Column } from '../list.tsx';
import { ActButton, Badge, Head, SearchField, Waiting, type Tone } from '../parts.tsx';
import { sendSample } from '../send.ts';
import { useResource } from '../resource.ts';
import { route } from '../route.ts';
import { ServedOnly } from './served-only.tsx';

type ModelShape = ModelList['models'][number];

/**
 * The models of the mock. They can be released, hidden, added and removed, even while a caller reads the pages of the
 * list.
 */
export function CatalogueView(): JSX.Element {
  return (
    <ServedOnly resource="models" title="Catalogue" what="models">
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
    if (done !== undefined) notice.value = { kind: 'done', text: 'Earlier cursors are now invalid.' };
  };
  return (
    <>
      <Head
        title="Catalogue"
        about="The models that callers see. Changes apply at once, even while a caller pages through the list."
      >
        <ActButton class="" act={() => sendSample('router', 'runModel')}>
          Run a model
        </ActButton>
        <ActButton class="" title="Builds the catalogue again: earlier cursors become invalid" act={rebuild}>
          Rebuild
        </ActButton>
      </Head>
      <search class="search">
        <SearchField label="Search the models" placeholder="part of an id" value={search} />
        <AddModel />
      </search>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Models">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : shown.length === 0 ? (
          <p class="empty">No model matches this search.</p>
        ) : (
          <section class="card">
            <List columns={columns} rows={shown} nameOf={({ id }) => id} />
          </section>
        )}
      </div>
    </>
  );
}

const charges: Readonly<Record<string, Tone>> = { yes: 'bad', no: 'good', unknown: 'warn' };

const pathOf = ({ provider, model }: Pick<ModelShape, 'provider' | 'model'>): string =>
  `models/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`;

const columns: readonly Column<ModelShape>[] = [
  { title: 'Model', is: 'name', cell: ({ id }) => <span class="mono breaks">{id}</span> },
  { title: 'State', cell: (model) => <State model={model} /> },
  {
    title: 'Charges for refusals',
    cell: ({ chargesOnPolicyRejection: fact }) => <Badge tone={charges[fact] ?? 'none'}>{fact}</Badge>,
  },
  {
    title: 'Input schema',
    cell: ({ inputSchema }) => (
      <span class="soft">{inputSchema === undefined ? 'placeholder that allows any object' : 'its own'}</span>
    ),
  },
  { title: 'US cents', is: 'number', cell: ({ cents }) => cents },
  {
    title: 'Actions',
    is: 'acts',
    cell: (model) => (
      <ActButton act={() => undoably(`Removed: ${model.id}.`, () => steer('DELETE', pathOf(model)))}>
        Remove
      </ActButton>
    ),
  },
];

/** Shows the latest choice at once, and the state of the mock when it is known. */
function State({ model }: { readonly model: ModelShape }): JSX.Element {
  const { id, state } = model;
  const [wanted, want] = useState<string>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    if (wanted === state) want(undefined);
  }, [wanted, state]);
  const choose = (choice: string): void => {
    want(choice);
    // Sent one after the other, so that the last choice arrives last.
    before.current = before.current.then(async () => {
      const done = await steer('PATCH', pathOf(model), { state: choice });
      if (done === undefined) want((now) => (now === choice ? undefined : now));
    });
  };
  return (
    <select
      aria-label={`State of ${id}`}
      value={wanted ?? state}
      onChange={({ currentTarget }) => {
        choose(currentTarget.value);
      }}
    >
      <option value="listed">listed</option>
      <option value="unreleased">unreleased</option>
      <option value="trimmed">trimmed</option>
    </select>
  );
}

function AddModel(): JSX.Element {
  const [id, setId] = useState('');
  const [provider = '', model = ''] = id.split('/');
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const done = await steer('PUT', pathOf({ provider, model }), {});
    // Keep text that was typed meanwhile.
    if (done !== undefined) setId((now) => (now === id ? '' : now));
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
