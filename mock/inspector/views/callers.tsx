import type { JSX } from 'preact';
import type { CallerList } from '../../control-shape.ts';
import { callerName } from '../caller-name.ts';
import { Head, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address } from '../route.ts';

/** Who calls, and what each has open: state of different callers never meets. */
export function Callers(): JSX.Element {
  const { value, problem } = useResource<CallerList>('callers', ['journal', 'keys', 'jobs'], {
    everyMs: 1_000,
  });
  return (
    <>
      <Head
        title="Callers"
        about="Everybody with a key of their own has a state of their own. What follows a plus sign in a key is a name that you choose."
      />
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Callers">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : value.callers.length === 0 ? (
          <p class="empty">Nobody has called yet.</p>
        ) : (
          <section class="card">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Caller</th>
                  <th scope="col" class="number">
                    Calls
                  </th>
                  <th scope="col" class="number">
                    Runs in flight
                  </th>
                  <th scope="col" class="number">
                    Committed, US cents
                  </th>
                  <th scope="col" class="number">
                    Streams
                  </th>
                  <th scope="col" class="number">
                    Keys
                  </th>
                  <th scope="col" class="number">
                    Jobs
                  </th>
                </tr>
              </thead>
              <tbody>
                {value.callers.map(({ caller, calls, inFlight, streams, keys, jobs }) => (
                  <tr key={caller}>
                    <td>
                      <a href={address('journal', undefined, `caller:${wordOf(caller)}`)}>
                        {callerName(caller)}
                      </a>
                    </td>
                    <td class="number">{calls}</td>
                    <td class="number">{inFlight.calls}</td>
                    <td class="number">{inFlight.cents}</td>
                    <td class="number">{streams}</td>
                    <td class="number">{keys}</td>
                    <td class="number">{jobs}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
    </>
  );
}

// --- internal ---

/** The last word of a scope is enough for a search, whose words are told apart by spaces. */
function wordOf(caller: string): string {
  return caller.split(' ').at(-1) ?? caller;
}
