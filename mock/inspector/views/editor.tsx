import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ScenarioList } from '../../control/steering-shape.ts';
import { notice } from '../control-client.ts';
import { readExchange, state } from '../live.ts';
import { ActButton } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { follow } from '../send.ts';
import { answer, bodyOf, draft, draftOf, headersOf, type Draft } from './draft.ts';
import { Described } from './operation.tsx';

/** The fields of a draft, and the buttons that send or reset it. */
export function Editor({ draft: written }: { readonly draft: Draft }): JSX.Element {
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
