import type { JSX } from 'preact';
import type { CallerList, CallerShape } from '../../control/reference-shape.ts';
import { callerName } from '../caller-name.ts';
import { Count, List, type Column } from '../list.tsx';
import { state } from '../live.ts';
import { Head, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address } from '../route.ts';

/** The callers, and what each of them has open. Callers share no state. */
export function Callers(): JSX.Element {
  const { value, problem } = useResource<CallerList>('callers', ['journal', 'keys', 'jobs'], {
    everyMs: 1_000,
  });
  const hasKeys = state.value?.apis.some(({ credential }) => credential.kind === 'key') === true;
  return (
    <>
      <Head
        title="Callers"
        about={`Each caller has its own state.${hasKeys ? ' Text after a plus sign in a key is a caller name of your choice.' : ''}`}
      />
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Callers">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : value.callers.length === 0 ? (
          <p class="empty">No callers yet.</p>
        ) : (
          <section class="card">
            <List columns={columns.filter(isUseful)} rows={value.callers} nameOf={({ caller }) => caller} />
          </section>
        )}
      </div>
    </>
  );
}

// --- internal ---

const columns: readonly (Column<CallerShape> & { readonly needs?: string })[] = [
  {
    title: 'Caller',
    is: 'name',
    cell: ({ caller }) => (
      <a href={address('journal', undefined, `caller:${wordOf(caller)}`)}>{callerName(caller)}</a>
    ),
  },
  { title: 'Calls', is: 'number', cell: ({ calls }) => <Count of={calls} /> },
  { title: 'Calls in flight', is: 'number', cell: ({ inFlight }) => <Count of={inFlight.calls} /> },
  {
    title: 'Committed, US cents',
    is: 'number',
    needs: 'models',
    cell: ({ inFlight }) => <Count of={inFlight.cents} />,
  },
  { title: 'Open streams', is: 'number', needs: 'jobs', cell: ({ streams }) => <Count of={streams} /> },
  { title: 'Keys', is: 'number', needs: 'keys', cell: ({ keys }) => <Count of={keys} /> },
  { title: 'Jobs', is: 'number', needs: 'jobs', cell: ({ jobs }) => <Count of={jobs} /> },
];

/** Whether this mock has the resource that a column counts. */
function isUseful({ needs }: (typeof columns)[number]): boolean {
  return needs === undefined || state.value?.resources.includes(needs) === true;
}

/** The last word of a scope, because spaces separate the words of a search. */
function wordOf(caller: string): string {
  return caller.split(' ').at(-1) ?? caller;
}
