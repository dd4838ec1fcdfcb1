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
import { courseOf, isOver, jobAfter, type JobRecord, progressOf } from './timeline.ts';

export interface JobsParts {
  readonly board: Board;
  /** The path before `/api/v2`. */
  readonly mount: string;
  readonly now: () => number;
  readonly options?: Partial<ServerOptions<Account>>;
}

const RETENTION_MS = 72 * 3_600_000;

/** Workflow jobs on the generated server. */
export function jobsServer({ board: kept, mount, now, options = {} }: JobsParts): Server {
  const base = `${mount}/api/v2`;
  const board = whileReachable(kept);
  const find = async (id: string, account: Account): Promise<JobRecord> => {
    const record = await board.find(id);
    if (record?.account !== account.id || record.expiresAt <= now())
      throw refuse('no_such_job', 'There is no such job.', { status: 404 });
    return record;
  };
  const view = (record: JobRecord, logs = false) => {
    const count = courseOf(record).filter(({ at }) => at <= now()).length;
    return jobAfter(record, count, { base, logs });
  };

  return createServer<Account>(
    {
      async submitJob({ body }, { caller }) {
        const steps = planOf(body, caller.id);
        if (!caller.hasCredits) throw refuse('no_credits', 'This workspace has no credits.', { status: 402 });
        const createdAt = now();
        const record = {
          ...{ id: randomUUID(), account: caller.id, steps, createdAt },
          expiresAt: createdAt + RETENTION_MS,
        };
        await board.put(record);
        return { status: 201, body: jobAfter(record, 1, { base, logs: false }) };
      },
      getJob: async ({ id }, { caller }) => ({ status: 200, body: view(await find(id, caller), true) }),
      async cancelJob({ id }, { caller }) {
        const record = await find(id, caller);
        return { status: 200, body: view((await board.cancel(id, now())) ?? record) };
      },
      async streamJobEvents({ id }, { caller, signal }) {
        await find(id, caller);
        return { status: 200, events: eventsOf(id, { board, base, now, signal }) };
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

/** A board that is away is an error of the API: whether anything came of the request, nobody knows. */
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
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Where a job stands, then whatever happens to it, to its end. */
async function* eventsOf(id: string, { board, base, now, signal }: StreamParts): AsyncGenerator<ServerEvent> {
  const news = new News(signal);
  const leave = await board.watch(id, () => {
    news.ring();
  });
  try {
    let told = 0;
    for (;;) {
      const record = await board.find(id);
      if (record === undefined) throw new Error('the job is gone');
      const course = courseOf(record);
      const due = course.filter(({ at }) => at <= now()).length;
      const event = (index: number): ServerEvent | undefined => {
        const happening = course[index];
        switch (happening?.kind) {
          case undefined:
            return undefined;
          case 'status':
            return { event: 'status', data: jobAfter(record, index + 1, { base, logs: false }) };
          case 'progress':
            return { event: 'progress', data: progressOf(record, happening) };
          case 'preview':
            return { event: 'preview', data: { picture: happening.picture } };
        }
      };
      const fresh =
        told === 0
          ? snapshot(course.slice(0, due))
          : Array.from({ length: Math.max(0, due - told) }, (_, index) => told + index);
      for (const index of fresh) {
        const next = event(index);
        if (next !== undefined) yield next;
      }
      told = Math.max(told, due);
      const last = course[due - 1];
      if (due === course.length && last?.kind === 'status' && isOver(last.status)) return;
      await news.wait((course[due]?.at ?? Number.POSITIVE_INFINITY) - now());
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

/** Waits for a time or for news, whichever comes first; for no longer than anybody listens. */
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

  async wait(ms: number): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#rang) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // News that got lost on the way come a little later.
        timer = setTimeout(resolve, Math.min(Math.max(ms, 1), LONGEST_WAIT_MS));
      });
      clearTimeout(timer);
    }
    this.#rang = false;
    this.#signal.throwIfAborted();
  }
}

const LONGEST_WAIT_MS = 5_000;
