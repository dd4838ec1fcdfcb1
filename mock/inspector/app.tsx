import type { FunctionComponent, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { timeOfDay } from './clock-time.ts';
import type { NamespaceList } from '../control/reference-shape.ts';
import { namespace, notice } from './control-client.ts';
import { Icon, TallyIcon } from './icons.tsx';
import { helpOpen, keys, listen } from './keyboard.ts';
import { connection, entries, paused, resume, state } from './live.ts';
import { address, view } from './route.ts';
import { useNow } from './now.ts';
import { useResource } from './resource.ts';
import { Callers } from './views/callers.tsx';
import { CatalogueView } from './views/catalogue.tsx';
import { ClockView } from './views/clock.tsx';
import { Collections } from './views/collections.tsx';
import { Composer } from './views/composer.tsx';
import { Idempotency } from './views/idempotency.tsx';
import { JobsView } from './views/jobs.tsx';
import { JournalView } from './views/journal.tsx';
import { LedgerView } from './views/ledger.tsx';
import { ReferenceView } from './views/reference.tsx';
import { Scenarios } from './views/scenarios.tsx';
import { SnapshotsView } from './views/snapshots.tsx';

interface View {
  readonly name: string;
  readonly title: string;
  readonly shows: FunctionComponent;
  /** The resource of the control API that the view shows. */
  readonly needs?: string;
}

const views: readonly View[] = [
  { name: 'journal', title: 'Journal', shows: JournalView },
  { name: 'composer', title: 'Composer', shows: Composer, needs: 'requests' },
  { name: 'keys', title: 'Idempotency', shows: Idempotency, needs: 'keys' },
  { name: 'collections', title: 'Collections', shows: Collections, needs: 'collections' },
  { name: 'jobs', title: 'Jobs', shows: JobsView, needs: 'jobs' },
  { name: 'scenarios', title: 'Scenarios', shows: Scenarios, needs: 'scenarios' },
  { name: 'clock', title: 'Clock', shows: ClockView, needs: 'clock' },
  { name: 'ledger', title: 'Ledger', shows: LedgerView, needs: 'models' },
  { name: 'catalogue', title: 'Catalogue', shows: CatalogueView, needs: 'models' },
  { name: 'reference', title: 'Reference', shows: ReferenceView },
  { name: 'callers', title: 'Callers', shows: Callers, needs: 'callers' },
  { name: 'snapshots', title: 'Snapshots', shows: SnapshotsView, needs: 'snapshots' },
];

export function App(): JSX.Element {
  const shown = views.find(({ name }) => name === view.value) ?? views[0];
  // A layout effect, so that keys work as soon as the page is visible.
  useLayoutEffect(() => listen(() => offered().map(({ name }) => name), pauseOrGoOn), []);
  useEffect(() => {
    const where = namespace === undefined ? '' : ` · ${namespace}`;
    document.title = `${shown?.title ?? 'Journal'}${where} · tallystick mock`;
  }, [shown]);
  const Shown = shown?.shows ?? JournalView;
  return (
    <div class="frame">
      <Rail current={shown?.name ?? 'journal'} />
      <main class="stage" key={shown?.name}>
        <Shown />
      </main>
      <Notice />
      <Help />
    </div>
  );
}

function pauseOrGoOn(): void {
  if (paused.value) resume();
  else paused.value = true;
}

// --- internal ---

/** The views whose resource this mock has. */
function offered(): readonly View[] {
  const resources = state.value?.resources;
  return views.filter(({ needs }) => needs === undefined || resources?.includes(needs) !== false);
}

function Rail({ current }: { readonly current: string }): JSX.Element {
  const exchanges = entries.value.length;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, not all views fit.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <header class="rail">
      <a class="brand" href={address('journal')}>
        <TallyIcon />
        <span class="label">tallystick</span>
      </a>
      <nav aria-label="Views" ref={nav}>
        <ul>
          {offered().map(({ name, title }, index) => (
            <li key={name}>
              <a
                href={address(name)}
                aria-current={name === current ? 'page' : undefined}
                title={`${title} (${(index + 1) % 10})`}
              >
                <Icon name={name} />
                <span class="label">{title}</span>
                {name === 'journal' && exchanges > 0 ? <span class="count">{exchanges}</span> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="foot">
        <Mock />
        <button type="button" class="small help" onClick={() => (helpOpen.value = true)}>
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

/** The connection to the mock, its address and its time. */
function Mock(): JSX.Element {
  const now = useNow();
  const words = { connecting: 'connecting', open: 'live', lost: 'no connection to the mock' };
  const breaks = state.value?.apis.flatMap(({ deviations }) => deviations) ?? [];
  return (
    <>
      <p role="status">
        <span class="dot" data-is={connection.value} />
        <span class="label">
          {words[connection.value]}
          {paused.value ? ', journal paused' : ''}
        </span>
      </p>
      {state.value === undefined ? null : (
        <p class="mono breaks address">{state.value.url.replace(/^https?:\/\//, '')}</p>
      )}
      {state.value?.resources.includes('namespaces') === true ? <Namespace /> : null}
      {now === undefined ? null : (
        <a href={address('clock')} class="mono soft time" title="The time of the mock">
          {timeOfDay(now)}
          {state.value?.clock.speed === 0 ? (
            <span class="badge frozen" data-tone="warn">
              frozen
            </span>
          ) : null}
        </a>
      )}
      <Reloaded />
      {breaks.map((id) => (
        <p key={id} class="badge breaks" data-tone="bad" title="The mock breaks this rule on purpose">
          breaks {id}
        </p>
      ))}
    </>
  );
}

/** Selects the namespace that the page shows. Each namespace has its own journal and state. */
function Namespace(): JSX.Element | null {
  const { value } = useResource<NamespaceList>('namespaces', ['journal'], { everyMs: 5_000 });
  const names = value?.namespaces ?? [];
  if (names.length === 0 && namespace === undefined) return null;
  return (
    <label class="namespace">
      Namespace
      <select
        value={namespace ?? ''}
        onChange={({ currentTarget }) => {
          const to = new URL(location.href);
          if (currentTarget.value === '') to.searchParams.delete('namespace');
          else to.searchParams.set('namespace', currentTarget.value);
          location.href = to.href;
        }}
      >
        <option value="">none</option>
        {[...new Set([...names, ...(namespace === undefined ? [] : [namespace])])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** Shown while a document is invalid: the mock serves the last valid one. */
function Reloaded(): JSX.Element | null {
  const reload = state.value?.reload;
  if (reload === undefined || reload.ok) return null;
  return (
    <details class="reload">
      <summary class="badge" data-tone="bad">
        invalid document
      </summary>
      <p>The mock serves the last valid version until you fix this:</p>
      {reload.problems.map((problem, index) => (
        <p key={index} class="breaks">
          {problem}
        </p>
      ))}
    </details>
  );
}

function Notice(): JSX.Element {
  const said = notice.value;
  useEffect(() => {
    if (said?.kind !== 'done') return undefined;
    const gone = setTimeout(() => (notice.value = undefined), said.undo === undefined ? SHOWN_MS : UNDO_MS);
    return () => {
      clearTimeout(gone);
    };
  }, [said]);
  const undo = said?.undo;
  return (
    <div aria-live="polite">
      {said === undefined ? null : (
        <div class="notice" data-is={said.kind}>
          <span class="breaks">{said.text}</span>
          {undo === undefined ? null : (
            <button
              type="button"
              class="small"
              onClick={() => {
                notice.value = undefined;
                undo();
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="small" onClick={() => (notice.value = undefined)}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}

function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = helpOpen.value;
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      // Set at once: the browser reports `close` in a later task, and a key pressed before that would be
      // lost.
      onCancel={() => (helpOpen.value = false)}
      onClose={() => (helpOpen.value = false)}
    >
      <h1 id="help-title">Keys</h1>
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (helpOpen.value = false)}>
        Close
      </button>
    </dialog>
  );
}

const SHOWN_MS = 3_000;
/** Long enough to read the notice and decide. */
const UNDO_MS = 10_000;
