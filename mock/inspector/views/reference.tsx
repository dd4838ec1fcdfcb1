import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { OperationShape, Reference as ReferenceShape } from '../../control/reference-shape.ts';
import { requestReference } from '../contract-facts.ts';
import { controlAddress, read } from '../control-client.ts';
import { canSend } from '../live.ts';
import { Badge, Head, SearchField, Waiting, type Tone } from '../parts.tsx';
import { address, route } from '../route.ts';
import { Described } from './operation.tsx';

type ApiShape = ReferenceShape['apis'][number];

/** The contract: operations, rules with their citations, and open points. */
export function ReferenceView(): JSX.Element {
  const told = requestReference();
  const { search, row } = route.value;
  const words = search.toLowerCase().split(/\s+/);
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const isShown = told !== undefined;
  useEffect(() => {
    document.querySelector('.reference .chosen')?.scrollIntoView({ block: 'center' });
  }, [row, isShown]);
  return (
    <>
      <Head
        title="Reference"
        about={
          told?.apis.some(({ rules }) => rules.length > 0) === false
            ? 'The operations of each document.'
            : "Operations, rules with their sources, and the mock's assumptions on open points."
        }
      />
      <search class="search">
        <SearchField
          label="Search the reference"
          placeholder="part of a path, an operation or a rule"
          value={search}
        />
      </search>
      <div class="scroll cards reference" tabIndex={0} role="region" aria-label="Reference">
        {told === undefined ? (
          <Waiting problem={undefined} />
        ) : (
          told.apis.map((api) => <Api key={api.name} api={api} has={has} chosen={row} />)
        )}
      </div>
    </>
  );
}

// --- internal ---

interface Shown {
  readonly api: ApiShape;
  readonly has: (text: string) => boolean;
  readonly chosen: string | undefined;
}

function Api({ api, has, chosen }: Shown): JSX.Element {
  return (
    <section class="card">
      <div class="pad row">
        <h2>{api.title}</h2>
        <span class="soft">{api.version}</span>
        <a class="ends" href={controlAddress(`openapi/${api.name}.json`)} target="_blank" rel="noreferrer">
          OpenAPI document
        </a>
      </div>
      <Operations api={api} has={has} chosen={chosen} />
      <Rules api={api} has={has} chosen={chosen} />
      <Silent api={api} has={has} chosen={chosen} />
    </section>
  );
}

function Operations({ api, has, chosen }: Shown): JSX.Element | null {
  const shown = api.operations.filter(({ id, path, summary }) => has(`${id} ${path} ${summary ?? ''}`));
  if (shown.length === 0) return null;
  return (
    <>
      <h3 class="pad">Operations</h3>
      <ul class="facts-list">
        {shown.map(({ id, method, path, summary }) => (
          <li key={id} class={id === chosen ? 'chosen' : undefined}>
            <span class="row">
              <Badge tone={method === 'get' ? 'info' : 'accent'}>{method.toUpperCase()}</Badge>
              <code class="breaks">{path}</code>
              <a href={address('journal', undefined, `op:${id}`)}>{id}</a>
            </span>
            {summary === undefined ? null : <span class="soft">{summary}</span>}
            <Opened api={api.name} id={id} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The description of an operation, read when the reader opens it. */
function Opened({ api, id }: { readonly api: string; readonly id: string }): JSX.Element {
  const [operation, show] = useState<OperationShape>();
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && operation === undefined)
          read<OperationShape>(`operations/${api}/${id}`).then(show, () => undefined);
      }}
    >
      <summary>Parameters, bodies and answers</summary>
      {canSend() ? <a href={address('composer', `${api}/${id}`)}>Write a request</a> : null}
      {operation === undefined ? null : <Described operation={operation} />}
    </details>
  );
}

const levels: Readonly<Record<string, Tone>> = {
  must: 'good',
  'must-not': 'bad',
  should: 'warn',
  client: 'info',
};

function Rules({ api, has, chosen }: Shown): JSX.Element | null {
  const shown = api.rules.filter(({ id, says, operation }) => has(`${id} ${says} ${operation ?? ''}`));
  if (shown.length === 0) return null;
  return (
    <>
      <h3 class="pad">{shown.length} rules</h3>
      <ul class="facts-list">
        {shown.map(({ id, level, says, source }) => (
          <li key={id} class={id === chosen ? 'chosen' : undefined}>
            <span class="row">
              <a class="mono breaks" href={address('reference', id)}>
                {id}
              </a>
              <Badge tone={levels[level] ?? 'none'}>{level}</Badge>
            </span>
            <span>{says}</span>
            <small class="soft">{source}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

function Silent({ api, has, chosen }: Shown): JSX.Element | null {
  const shown = api.unspecified.filter(({ id, about, mockUses }) =>
    has(`${id} ${about} ${JSON.stringify(mockUses)}`),
  );
  if (shown.length === 0) return null;
  return (
    <>
      <h3 class="pad">{shown.length} points that the contract leaves open</h3>
      <ul class="facts-list">
        {shown.map(({ id, about, mockUses }) => (
          <li key={id} class={id === chosen ? 'chosen' : undefined}>
            <span class="row">
              <Badge tone="warn" href={address('reference', id)}>
                {id}
              </Badge>
              <span>{about}</span>
            </span>
            <code class="soft breaks">{JSON.stringify(mockUses)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
