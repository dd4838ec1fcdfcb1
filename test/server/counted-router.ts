import { createServer, type Store } from '../../generated/router/server.ts';

export interface CountedRouter {
  readonly run: (
    key: string,
  ) => Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>;
  /** How often the model ran, of one key or of all. */
  readonly runs: (key?: string) => number;
  readonly findings: string[];
}

export interface CountedOptions {
  readonly storeTimeoutMs?: number;
  readonly deadlineMs?: number;
  readonly leaseMs?: number;
  /** What the model does before it answers. */
  readonly work?: (key: string) => Promise<void>;
}

/** A router over a store, whose one model counts how often it runs. */
export function countedRouter(store: Store, options: CountedOptions = {}): CountedRouter {
  const counts = new Map<string, number>();
  let runs = 0;
  const findings: string[] = [];
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const server = createServer(
    {
      ...{ listModels: unused, getModel: unused, getModelInputSchema: unused },
      runModel: async (_input, { key = '' }) => {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        runs += 1;
        const run = runs;
        await options.work?.(key);
        return { status: 200, body: { run } };
      },
    },
    {
      authenticate: () => ({ id: 'caller' }),
      ...{ store, storeTimeoutMs: options.storeTimeoutMs ?? 50 },
      ...{ deadlineMs: options.deadlineMs ?? 1_000, leaseMs: options.leaseMs ?? 5_000 },
      capacity: { bounds: () => ({ calls: 5 }) },
      onFinding: ({ kind }) => kind !== 'started' && kind !== 'ended' && findings.push(kind),
    },
  );
  return {
    findings,
    runs: (key) => (key === undefined ? runs : (counts.get(key) ?? 0)),
    async run(key) {
      const answer = await server(
        new Request('http://localhost/v1/models/acme/echo', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'Idempotency-Key': key },
          body: '{}',
        }),
      );
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
  };
}
