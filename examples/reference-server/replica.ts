import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Finding, join, memoryStore, type Store } from '../../generated/router/server.ts';
import { attach } from '../../generated/server-runtime/node.ts';
import { type Board, memoryBoard } from './board.ts';
import { sealedCursors } from './cursors.ts';
import { fixturesOf } from './fixtures.ts';
import { jobsServer } from './jobs.ts';
import { routerServer } from './router.ts';
import { startWorker } from './worker.ts';

export interface ReplicaOptions {
  readonly port?: number;
  readonly host?: string;
  /** The public address for callers; default: its own. */
  readonly publicUrl?: string;
  readonly deadlineMs?: number;
  readonly store?: Store;
  readonly board?: Board;
  readonly onDispatch?: (model: string, key: string | undefined) => void;
  readonly onFinding?: (finding: Finding) => void;
  /** Epoch milliseconds: the age of cursors, keys and jobs. */
  readonly now?: () => number;
}

export interface Replica {
  readonly url: string;
  /** For the conformance suite. */
  readonly fixtures: object;
  /**
   * Refuses new callers, and ends when open calls are complete; unfinished jobs are passed to other replicas.
   */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** One process that serves the router and the jobs, at one address. */
export async function startReplica(options: ReplicaOptions = {}): Promise<Replica> {
  const { deadlineMs = 2_000, now = Date.now, onFinding, onDispatch } = options;
  const store = options.store ?? memoryStore({ now });
  const board = options.board ?? memoryBoard();
  const cursors = sealedCursors('reference-server', now);
  const served = { store, now, ...(onFinding === undefined ? {} : { onFinding }) };
  const mount = '/deployment/reference';
  const worker = startWorker({ board, now });
  const router = routerServer({
    ...{ deadlineMs, cursors, options: served },
    ...(onDispatch === undefined ? {} : { onDispatch }),
  });
  const server = join(router, jobsServer({ board, mount, now, options: served, submitted: worker.nudge }));
  const http = createServer({ requireHostHeader: false });
  attach(server, http);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
  return {
    url,
    fixtures: fixturesOf(options.publicUrl ?? url, { deadlineMs, mount, expiredCursor: cursors.expired() }),
    async drain() {
      const closed = new Promise((resolve) => http.close(resolve));
      const idle = setInterval(() => {
        http.closeIdleConnections();
      }, 50);
      await closed;
      clearInterval(idle);
      await worker.stop();
    },
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await worker.stop();
      await board.close();
    },
  };
}
