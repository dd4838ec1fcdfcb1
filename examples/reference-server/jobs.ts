import { randomUUID } from 'node:crypto';
import {
  createServer,
  refuse,
  type Server,
  type ServerEvent,
  type ServerOptions,
} from '../../generated/jobs/server.ts';
import { type Account, accountOf } from './accounts.ts';
import type { Board } from './board.ts';
import { planOf } from './graph.ts';
import { isOver, jobAfter, type JobRecord, progressOf } from './timeline.ts';

export interface JobsParts {
  readonly board: Board;
  /** Called when there is a job to work on. */
  readonly submitted: () => void;
  /** The path before `/api/v2`. */
  readonly mount: string;
  readonly now: () => number;
  readonly options?: Partial<ServerOptions<Account>>;
}

const RETENTION_MS = 72 * 3_600_000;

/** Workflow jobs on the generated server. */
export function jobsServer({ board: kept, submitted, mount, now, options = {} }: JobsParts): Server {
  const base = `${mount}/api/v2`;
  const board = whileReachable(kept);
  const find = async (id: string, account: Account): Promise<JobRecord> => {
    const record = await board.find(id);
    if (record?.account !== account.id || record.expiresAt <= now())
      throw refuse('no_such_job', 'There is no such job.', { status: 404 });
    return record;
  };
  const view = (record: JobRecord, logs = false) => jobAfter(record, record.course.length, { base, logs });

  return createServer<Account>(
    {
      async submitJob({ body }, { caller }) {
        const steps = planOf(body, caller.id);
        if (!caller.hasCredits) throw refuse('no_credits', 'This workspace has no credits.', { status: 402 });
        const createdAt = now();
        const record: JobRecord = {
          ...{ id: randomUUID(), account: caller.id, steps, createdAt, tries: 0 },
          expiresAt: createdAt + RETENTION_MS,
          course: [{ at: createdAt, kind: 'status', status: 'queued' }],
        };
        await board.put(record);
        submitted();
        return { status: 201, body: view(record) };
      },
      getJob: async ({ id }, { caller }) => ({ status: 200, body: view(await find(id, caller), true) }),
      async cancelJob({ id }, { caller }) {
        const record = await find(id, caller);
        return { status: 200, body: view((await board.cancel(id, now())) ?? record) };
      },
      async streamJobEvents({ id }, { caller, signal }) {
        await find(id, caller);
        return { status: 200, events: eventsOf(id, { board, base, signal }) };
      },
    },
    {
      codes: { notFound: 'no_such_job', badInput: 'invalid_workflow' },
      authenticate(credentials) {
        const account = accountOf(credentials);
        if (account?.hasAccess === false)
          throw refuse('no_access', 'This account has no access.', { status: 403 });
        return account;
      },
      checkResponses: true,
      ...options,
      basePath: mount,
    },
  );
}

// --- internal ---

/** An unavailable board is an error of the API: it is unknown whether the request had an effect. */
function whileReachable(board: Board): Board {
  const told = (): never => {
    throw refuse('not_available', 'Jobs cannot be looked up at the moment.', {
      ...{ status: 503, headers: { 'Retry-After': '1' } },
    });
  };
  return {
    ...board,
    put: (record) => board.put(record).catch(told),
    find: (id) => board.find(id).catch(told),
    cancel: (id, at) => board.cancel(id, at).catch(told),
  };
}

interface StreamParts {
  readonly board: Board;
  readonly base: string;
  readonly signal: AbortSignal;
}

/** The current state of a job, then its changes, until its end. */
async function* eventsOf(id: string, { board, base, signal }: StreamParts): AsyncGenerator<ServerEvent> {
  const news = new News(signal);
  const leave = await board.watch(id, () => {
    news.ring();
  });
  try {
    let told = 0;
    for (;;) {
      const record = await board.find(id);
      if (record === undefined) throw new Error('the job is gone');
      const { course } = record;
      const event = (index: number): ServerEvent | undefined => {
        const happening = course[index];
        switch (happening?.kind) {
          case undefined:
            return undefined;
          case 'status': {
            // On connect, the current job; later, the job at the time of this status.
            const count = told === 0 ? course.length : index + 1;
            return { event: 'status', data: jobAfter(record, count, { base, logs: false }) };
          }
          case 'progress':
            return { event: 'progress', data: progressOf(record, happening) };
          case 'preview':
            return { event: 'preview', data: { picture: happening.picture } };
        }
      };
      const fresh =
        told === 0
          ? snapshot(course)
          : Array.from({ length: Math.max(0, course.length - told) }, (_, index) => told + index);
      for (const index of fresh) {
        const next = event(index);
        if (next !== undefined) yield next;
      }
      told = Math.max(told, course.length);
      const last = course.at(-1);
      if (last?.kind === 'status' && isOver(last.status)) return;
      await news.wait();
    }
  } finally {
    leave();
  }
}

/** The latest of each kind; a status that ends the stream comes last. */
function snapshot(course: readonly { readonly kind: string }[]): readonly number[] {
  const latest = ['status', 'progress', 'preview'].map((kind) =>
    course.findLastIndex((each) => each.kind === kind),
  );
  const [status = 0, ...others] = latest;
  const known = others.filter((index) => index >= 0);
  return status === course.length - 1 && course.length > 2 ? [...known, status] : [status, ...known];
}

/** Waits for news while there is a listener. */
class News {
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;
  #rang = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  ring(): void {
    this.#rang = true;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#rang) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // Lost notifications are noticed at the next poll.
        timer = setTimeout(resolve, LONGEST_WAIT_MS);
      });
      clearTimeout(timer);
    }
    this.#rang = false;
    this.#signal.throwIfAborted();
  }
}

const LONGEST_WAIT_MS = 5_000;
