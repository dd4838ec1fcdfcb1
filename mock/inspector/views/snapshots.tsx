import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type {
  RestoredSnapshot,
  SnapshotFile,
  SnapshotList,
  SnapshotShape,
} from '../../control/snapshot-shape.ts';
import { dateAndTime } from '../clock-time.ts';
import { controlAddress, notice, read, steer, undoably } from '../control-client.ts';
import { List, type Column } from '../list.tsx';
import { parsed } from '../json-lines.ts';
import { ActButton, Head, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';

/** Saved states, by name. They can be exported and imported as files. */
export function SnapshotsView(): JSX.Element {
  const { value, problem } = useResource<SnapshotList>('snapshots', ['snapshots']);
  const snapshots = value?.snapshots ?? [];
  return (
    <>
      <Head
        title="Snapshots"
        about={`Saved states of the mock: all that it stores, forced scenarios and the clock. ${whereabouts(value)}`}
      >
        <Import />
        <ActButton class="" title="Restores the state at the start and empties the journal" act={reset}>
          Reset
        </ActButton>
      </Head>
      <div class="search">
        <Save names={snapshots.map(({ name }) => name)} />
      </div>
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Snapshots">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : snapshots.length === 0 ? (
          <p class="empty">
            No snapshots yet. Bring the mock into the state in which a test or a demonstration begins, and
            save it under a name. You can restore it as often as you like.
          </p>
        ) : (
          <section class="card">
            <List columns={columns} rows={snapshots} nameOf={({ name }) => name} />
          </section>
        )}
      </div>
    </>
  );
}

// --- internal ---

const columns: readonly Column<SnapshotShape>[] = [
  { title: 'Name', is: 'name', cell: ({ name }) => <span class="mono breaks">{name}</span> },
  { title: 'Mock time', is: 'short', cell: ({ at }) => <span class="mono">{dateAndTime(at)}</span> },
  { title: 'Changes', is: 'number', cell: ({ changes }) => changes },
  { title: 'Size', is: 'number', cell: ({ size }) => bytes(size) },
  { title: 'Actions', is: 'acts', cell: ({ name }) => <Acts name={name} /> },
];

function Acts({ name }: { readonly name: string }): JSX.Element {
  return (
    <>
      <ActButton class="small main" act={() => restore(name)}>
        Restore
      </ActButton>
      <a class="button small" href={controlAddress(pathOf(name))} download={`${name}.json`}>
        Export
      </a>
      <ActButton act={() => remove(name)}>Delete</ActButton>
    </>
  );
}

function Save({ names }: { readonly names: readonly string[] }): JSX.Element {
  const [name, setName] = useState('');
  const save = async (): Promise<void> => {
    const saved = await steer<SnapshotShape>('POST', 'snapshots', { name });
    if (saved === undefined) return;
    notice.value = { kind: 'done', text: `Saved: ${saved.name}` };
    // Keep text that was typed meanwhile.
    setName((now) => (now === name ? '' : now));
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <input
        type="text"
        aria-label="Name of the snapshot"
        placeholder="three-jobs-running"
        pattern={NAME}
        title="Letters, digits, dots, dashes and underscores"
        value={name}
        onInput={(event) => {
          setName(event.currentTarget.value.trim());
        }}
      />
      <ActButton
        class="main"
        type="submit"
        disabled={!new RegExp(`^(?:${NAME})$`, 'v').test(name)}
        act={save}
      >
        {names.includes(name) ? 'Replace it with the current state' : 'Save the current state'}
      </ActButton>
    </form>
  );
}

/** Imports an exported file under its own name. */
function Import(): JSX.Element {
  const chooser = useRef<HTMLInputElement>(null);
  const take = async (): Promise<void> => {
    const file = chooser.current?.files?.[0];
    if (file === undefined) return;
    const content = parsed(await file.text());
    // So that the same file can be chosen again.
    if (chooser.current !== null) chooser.current.value = '';
    if (content === undefined) {
      notice.value = { kind: 'problem', text: `${file.name} is not JSON.` };
      return;
    }
    const taken = await steer<SnapshotShape>('PUT', pathOf(nameOfFile(file.name)), content);
    if (taken !== undefined) notice.value = { kind: 'done', text: `Imported: ${taken.name}` };
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Snapshot file"
        onChange={() => void take()}
      />
      <button type="button" onClick={() => chooser.current?.click()}>
        Import a file
      </button>
    </>
  );
}

async function restore(name: string): Promise<void> {
  const done = await steer<RestoredSnapshot>('POST', pathOf(name), { do: 'restore' });
  if (done !== undefined) notice.value = { kind: 'done', text: `Restored: ${name}` };
}

/** A deletion can be undone while the notice is visible. */
async function remove(name: string): Promise<void> {
  const file = await read<SnapshotFile>(pathOf(name)).catch(() => undefined);
  if ((await steer('DELETE', pathOf(name))) === undefined) return;
  const undo = (): void => void steer('PUT', pathOf(name), file);
  notice.value = { kind: 'done', text: `Deleted: ${name}`, ...(file === undefined ? {} : { undo }) };
}

async function reset(): Promise<void> {
  await undoably(
    'The mock is reset to its initial state.',
    () => steer('POST', 'reset'),
    () => steer('PUT', 'journal'),
  );
}

/** The pattern of names in the control API. */
const NAME = '[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}';

const pathOf = (name: string): string => `snapshots/${encodeURIComponent(name)}`;

/** A browser names a second file of the same name `demo (1).json`, which is not a valid name. */
function nameOfFile(file: string): string {
  return file
    .replace(/\.json$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-$/g, '')
    .slice(0, 64);
}

function whereabouts(list: SnapshotList | undefined): string {
  if (list === undefined) return '';
  return list.lasting
    ? 'They are stored in the data folder.'
    : 'They are kept in memory until the mock stops. Export those that you need later, or start the mock with --data.';
}

function bytes(size: number): string {
  return size < 1_024 ? `${size} B` : `${(size / 1_024).toFixed(size < 10_240 ? 1 : 0)} kB`;
}
