import type { ServerResponse } from 'node:http';
import { PAGE_HEADERS } from './page.ts';
import type { ControlState, ControlTopic } from './shape.ts';
import type { Assembly } from '../assembly.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Mock } from '../mock.ts';

/** Notifies pages about changes without an exchange, such as those by the control API. */
export class ChangeFeed {
  readonly #listeners = new Set<(topics: readonly ControlTopic[]) => void>();

  tell(...topics: readonly ControlTopic[]): void {
    for (const listener of this.#listeners) listener(topics);
  }

  watch(listener: (topics: readonly ControlTopic[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * One stream for everything that a page shows; see `shape.ts`. A page that reloads requests the part that it
 * missed.
 */
export function streamControl(
  parts: { readonly mock: Mock; readonly assembly: Assembly; readonly feed: ChangeFeed },
  response: ServerResponse,
  options: { readonly since: number; readonly state: () => ControlState },
): void {
  const { mock, assembly, feed } = parts;
  response.writeHead(200, {
    ...PAGE_HEADERS,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
  });
  const write = (event: string, data: unknown, id?: number): void => {
    const head = id === undefined ? '' : `id: ${String(id)}\n`;
    // A client that does not read is disconnected: it can reconnect and request the rest.
    if (response.writableLength > LONGEST_BACKLOG) response.destroy();
    else response.write(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const writeEntry = (entry: JournalEntry): void => {
    write('exchange', entry, entry.number);
  };
  write('state', options.state());
  mock.journal.entries({ since: options.since }).forEach(writeEntry);
  const changed = (...topics: readonly ControlTopic[]): void => {
    write('changed', { topics });
  };
  const forgetEntries = mock.journal.watch(writeEntry);
  const forgetPending = mock.pending.watch({
    began: (call) => {
      write('began', call);
    },
    ended: (call) => {
      write('ended', call);
    },
  });
  const forgetReloads = mock.reloads.watch(() => {
    changed('documents');
  });
  const forgetChanges = feed.watch((topics) => {
    changed(...topics);
  });
  // Scheduled events become visible when the state is read, which happens only while a page is open.
  let seen = marksOf(assembly);
  const look = setInterval(() => {
    const marks = marksOf(assembly);
    for (const [name, { mark, topics }] of marks) if (seen.get(name)?.mark !== mark) changed(...topics);
    seen = marks;
  }, LOOK_EVERY_MS).unref();
  response.once('close', () => {
    forgetEntries();
    forgetPending();
    forgetReloads();
    forgetChanges();
    clearInterval(look);
  });
}

/** The topics that a change at a path of the control API affects. */
export function topicsOf({ apis }: Pick<Assembly, 'apis'>, path: string): readonly ControlTopic[] {
  const resources = apis.flatMap(({ control }) => Object.keys(control?.resources ?? {}));
  const everything: readonly ControlTopic[] = [
    'journal',
    'keys',
    'scenarios',
    'clock',
    'collections',
    ...resources,
  ];
  const parts = path.split('/');
  const [resource = '', ...rest] = parts;
  const more = apis.flatMap(({ control }) => control?.touches?.(parts) ?? []);
  switch (resource) {
    case 'journal':
      return rest.length === 0 ? ['journal'] : [];
    case 'clock':
      return ['clock', ...more, 'keys'];
    case 'keys':
    case 'scenarios':
      return [resource];
    case 'snapshots':
      return rest.length === 0 ? ['snapshots'] : ['snapshots', ...everything];
    case 'reset':
    case 'snapshot':
      return everything;
    default:
      return more.length > 0 ? more : everything.filter((topic) => topic === resource);
  }
}

// --- internal ---

const LONGEST_BACKLOG = 4 * 2 ** 20;
const LOOK_EVERY_MS = 500;

function marksOf({
  apis,
}: Assembly): ReadonlyMap<string, { readonly mark: string; readonly topics: readonly ControlTopic[] }> {
  return new Map(
    apis.flatMap(({ contract, control }) => {
      if (control?.progress === undefined) return [];
      const { mark, topics } = control.progress;
      return [[contract.name, { mark: mark(), topics }] as const];
    }),
  );
}
