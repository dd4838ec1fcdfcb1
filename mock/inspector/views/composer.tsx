import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { OperationShape } from '../../control/reference-shape.ts';
import type { ScenarioList } from '../../control/steering-shape.ts';
import { notice, read } from '../control-client.ts';
import { exchangeAt, readExchange, state } from '../live.ts';
import { parsed } from '../json-lines.ts';
import { ActButton, Head, Status } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address, go, route } from '../route.ts';
import { follow, type Sent } from '../send.ts';
import { JsonBlock } from './json-block.tsx';
import { Described } from './operation.tsx';
import { Palette } from './palette.tsx';
import { Trail } from './trail.tsx';

/** The request that is being composed. It is kept while the reader visits other views. */
interface Draft {
  readonly operation: OperationShape;
  readonly target: string;
  readonly caller: string;
  readonly key: string;
  readonly scenario: string;
  readonly headers: string;
  readonly body: string;
}

const draft = signal<Draft | undefined>(undefined);
const answer = signal<Sent | undefined>(undefined);

/** Composes a request from the document, and shows the answer with its reasons beside it. */
export function Composer(): JSX.Element {
  const { row } = route.value;
  const apis = state.value?.apis ?? [];
  const chosen = row ?? nameOf(draft.value) ?? firstOf(apis);
  useEffect(() => {
    const [api = '', id = ''] = (chosen ?? '').split('/');
    if (chosen === undefined || nameOf(draft.value) === chosen) return;
    read<OperationShape>(`operations/${api}/${id}`).then(
      (operation) => {
        draft.value = draftOf(operation);
        answer.value = undefined;
      },
      (error: unknown) => {
        notice.value = { kind: 'problem', text: error instanceof Error ? error.message : String(error) };
      },
    );
  }, [chosen]);
  return (
    <>
      <Head
        title="Composer"
        about="Write a request, send it to the mock, and read the reasons for the answer."
      >
        <select
          aria-label="Operation"
          value={chosen}
          onChange={({ currentTarget }) => {
            go('composer', currentTarget.value);
          }}
        >
          {apis.map(({ name, title, operations }) => (
            <optgroup key={name} label={title}>
              {operations.map(({ id }) => (
                <option key={id} value={`${name}/${id}`}>
                  {id}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </Head>
      <div class="search">
        <Palette />
      </div>
      <div class="composer">
        {draft.value === undefined ? <p class="empty">Reading …</p> : <Editor draft={draft.value} />}
        <Answer />
      </div>
    </>
  );
}

// --- internal ---

function nameOf(written: Draft | undefined): string | undefined {
  return written === undefined ? undefined : `${written.operation.api}/${written.operation.id}`;
}

function firstOf(
  apis: readonly { readonly name: string; readonly operations: readonly { readonly id: string }[] }[],
): string | undefined {
  const [api] = apis;
  const [operation] = api?.operations ?? [];
  return api === undefined || operation === undefined ? undefined : `${api.name}/${operation.id}`;
}

function draftOf(operation: OperationShape): Draft {
  const { call, path } = operation;
  const text = call?.body ?? '';
  const json = text === '' ? undefined : parsed(text);
  return {
    operation,
    target: call?.target ?? path,
    ...{ caller: '', key: '', scenario: '' },
    headers: (call?.headers ?? []).map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: json === undefined ? text : JSON.stringify(json, undefined, 2),
  };
}

function headersOf({ headers, caller, key, scenario, operation }: Draft): [string, string][] {
  const value = state.value?.apis.find(({ name }) => name === operation.api)?.credential.value ?? '';
  const lines = headers
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line): [string, string] => {
      const [name = '', ...rest] = line.split(':');
      const text = rest.join(':').trim();
      const isCredential = caller !== '' && value !== '' && text.endsWith(value);
      return [name.trim(), isCredential ? `${text}+${caller}` : text];
    });
  const { keyHeader } = operation;
  return [
    ...lines,
    ...(key === '' || keyHeader === undefined ? [] : [[keyHeader, key] as [string, string]]),
    ...(scenario === '' ? [] : [['Prefer', scenario] as [string, string]]),
  ];
}

/** A text area has only line feeds, but the parts of a form need carriage returns too. */
function bodyOf({ headers, body }: Draft): string {
  return /^content-type:\s*multipart\//im.test(headers) ? body.replace(/\r?\n/g, '\r\n') : body;
}

function Editor({ draft: written }: { readonly draft: Draft }): JSX.Element {
  const { value } = useResource<ScenarioList>('scenarios', []);
  const leave = useRef<AbortController>();
  useEffect(() => () => leave.current?.abort(), []);
  const write = (part: Partial<Draft>): void => {
    draft.value = { ...written, ...part };
  };
  const { operation, target, caller, key, scenario, headers, body } = written;
  const send = async (): Promise<void> => {
    leave.current?.abort();
    const gone = new AbortController();
    leave.current = gone;
    answer.value = { headers: [], body: '' };
    try {
      await follow(
        { method: operation.method, target, headers: headersOf(written), body: bodyOf(written) },
        (sent) => {
          if (gone.signal.aborted) return;
          answer.value = sent;
          if (sent.number !== undefined && sent.delivery !== undefined) void readExchange(sent.number);
        },
        gone.signal,
      );
    } catch (error) {
      if (gone.signal.aborted) return;
      answer.value = undefined;
      notice.value = { kind: 'problem', text: error instanceof Error ? error.message : String(error) };
    }
  };
  const isKeyed = operation.keyHeader !== undefined;
  const isSigned = state.value?.apis.find(({ name }) => name === operation.api)?.credential.kind === 'key';
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <h2 class="unseen">Request</h2>
      <label>
        <span class="mono">{operation.method}</span>
        <input
          type="text"
          class="mono"
          aria-label="Path and query"
          spellcheck={false}
          value={target}
          onInput={({ currentTarget }) => {
            write({ target: currentTarget.value });
          }}
        />
      </label>
      <div class="row">
        {isSigned ? (
          <label title="Each caller has its own state. The name is appended to the key">
            Caller
            <input
              type="text"
              placeholder="default"
              value={caller}
              onInput={({ currentTarget }) => {
                write({ caller: currentTarget.value });
              }}
            />
          </label>
        ) : null}
        {isKeyed ? (
          <>
            <label>
              Key
              <input
                type="text"
                placeholder="none"
                value={key}
                onInput={({ currentTarget }) => {
                  write({ key: currentTarget.value });
                }}
              />
            </label>
            <button
              type="button"
              class="small"
              onClick={() => {
                write({ key: crypto.randomUUID() });
              }}
            >
              New key
            </button>
          </>
        ) : null}
        <label>
          Scenario
          <select
            value={scenario}
            onChange={({ currentTarget }) => {
              write({ scenario: currentTarget.value });
            }}
          >
            <option value="">none</option>
            {(value?.scenarios ?? []).map(({ name, prefer }) => (
              <option key={name} value={prefer}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="tall">
        Headers
        <textarea
          class="mono"
          rows={3}
          spellcheck={false}
          value={headers}
          onInput={({ currentTarget }) => {
            write({ headers: currentTarget.value });
          }}
        />
      </label>
      {operation.bodies.length === 0 && body === '' ? null : (
        <label class="tall">
          Body
          <textarea
            class="mono"
            rows={10}
            spellcheck={false}
            value={body}
            onInput={({ currentTarget }) => {
              write({ body: currentTarget.value });
            }}
          />
        </label>
      )}
      <div class="row">
        <ActButton class="main" type="submit" act={send}>
          Send
        </ActButton>
        <button
          type="button"
          onClick={() => {
            draft.value = draftOf(operation);
          }}
        >
          Reset
        </button>
      </div>
      <details>
        <summary>From the document</summary>
        <Described operation={operation} />
      </details>
    </form>
  );
}

function Answer(): JSX.Element {
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
