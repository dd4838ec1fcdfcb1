import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { OperationShape } from '../../control/reference-shape.ts';
import { notice, read } from '../control-client.ts';
import { state } from '../live.ts';
import { Head } from '../parts.tsx';
import { go, route } from '../route.ts';
import { Answer } from './answer.tsx';
import { answer, draft, draftOf, type Draft } from './draft.ts';
import { Editor } from './editor.tsx';
import { Palette } from './palette.tsx';

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
