import pg from 'pg';
import type { Row, State } from './state.ts';

/** All rows of all tables of a PostgreSQL database. A row without a primary key is known by all that is in it. */
export async function databaseState(url: string): Promise<State> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; keys: readonly string[] | null }>(
      `SELECT c.oid::regclass::text AS name,
         (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_index i
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
            WHERE i.indrelid = c.oid AND i.indisprimary) AS keys
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY 1`,
    );
    const state = new Map<string, ReadonlyMap<string, Row>>();
    for (const { name, keys } of tables) {
      const { rows } = await client.query<{ row: Row }>(
        `SELECT row_to_json(t)::jsonb AS row FROM ${name} AS t ORDER BY row_to_json(t)::text`,
      );
      const keyed = new Map<string, Row>();
      for (const { row } of rows) {
        const key = keys === null ? JSON.stringify(row) : keys.map((one) => String(row[one])).join(' / ');
        // Equal rows of a table without a primary key are told apart by their count.
        keyed.set(keyed.has(key) ? `${key} #${String(keyed.size)}` : key, row);
      }
      state.set(name, keyed);
    }
    return state;
  } finally {
    await client.end();
  }
}
