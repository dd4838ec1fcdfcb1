import type { PostgresClient } from './postgres-tables.ts';

/** How often expired rows are deleted, and how many at a time. */
export interface SweeperOptions {
  /** Default: a minute. */
  readonly everyMs?: number;
  /** The most rows that one statement deletes, so that it blocks other statements only briefly; default 1,000. */
  readonly batch?: number;
  readonly onError?: (error: unknown) => void;
}

/** Deletes expired rows in batches until there are none. Several processes may sweep at once. */
export async function sweep(client: PostgresClient, batch = 1_000): Promise<number> {
  let swept = 0;
  // The time of the statement is constant, so that the index can be used. The clock's time is not.
  const expired = {
    tallystick_keys:
      "ends_at <= statement_timestamp() and coalesce(kept_until, '-infinity') <= statement_timestamp()",
    tallystick_tickets: 'ends_at <= statement_timestamp()',
    tallystick_given_back: 'ends_at <= statement_timestamp()',
  };
  for (const [table, isOver] of Object.entries(expired)) {
    for (;;) {
      const { rows } = await client.query(
        `delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${isOver} limit $1 for update skip locked)) returning 1`,
        [batch],
      );
      swept += rows.length;
      if (rows.length < batch) break;
    }
  }
  return swept;
}

/** Sweeps at intervals until it is stopped. Does not keep the process alive. */
export function startSweeper(client: PostgresClient, options: SweeperOptions = {}): () => void {
  const timer = setInterval(() => {
    sweep(client, options.batch).catch(options.onError ?? (() => undefined));
  }, options.everyMs ?? 60_000);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
