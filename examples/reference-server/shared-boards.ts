import pg from 'pg';
import { createClient } from 'redis';
import { type Board, Watchers } from './board.ts';
import type { JobRecord } from './timeline.ts';

const CHANNEL = 'reference_jobs';

/** Jobs on Valkey or Redis; changes go round by its own publishing. */
export async function redisBoard(url: string): Promise<Board> {
  const watchers = new Watchers();
  const client = createClient({ url, disableOfflineQueue: true });
  const subscriber = createClient({ url });
  for (const each of [client, subscriber]) each.on('error', () => undefined);
  // What was said while nobody could hear it is looked up.
  subscriber.on('ready', () => {
    watchers.tellAll();
  });
  await Promise.all([client.connect(), subscriber.connect()]);
  await subscriber.subscribe(CHANNEL, (id) => {
    watchers.tell(id);
  });
  const keyOf = (id: string): string => `reference-job:${id}`;
  const find = async (id: string): Promise<JobRecord | undefined> => {
    const { record, cancelledAt } = await client.hGetAll(keyOf(id));
    if (record === undefined) return undefined;
    const cancelled = cancelledAt === undefined ? {} : { cancelledAt: Number(cancelledAt) };
    return { ...(JSON.parse(record) as JobRecord), ...cancelled };
  };
  return {
    async put(record) {
      await client
        .multi()
        .hSet(keyOf(record.id), 'record', JSON.stringify(record))
        .pExpireAt(keyOf(record.id), record.expiresAt)
        .exec();
    },
    find,
    async cancel(id, at) {
      if ((await client.exists(keyOf(id))) === 0) return undefined;
      await client.hSetNX(keyOf(id), 'cancelledAt', String(at));
      await client.publish(CHANNEL, id);
      return find(id);
    },
    watch: (id, changed) => Promise.resolve(watchers.add(id, changed)),
    async ping() {
      await client.ping();
    },
    close() {
      client.destroy();
      subscriber.destroy();
      return Promise.resolve();
    },
  };
}

/** Jobs on PostgreSQL; changes go round by LISTEN and NOTIFY. */
export async function postgresBoard(url: string, pool: pg.Pool): Promise<Board> {
  const watchers = new Watchers();
  await pool.query(
    `select pg_advisory_xact_lock(7433002);
     create table if not exists ${CHANNEL} (id text primary key, record jsonb not null, cancelled_at double precision)`,
  );
  let closed = false;
  let listener: pg.Client | undefined;
  const listen = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    client.on('end', () => {
      void again();
    });
    client.on('notification', ({ payload }) => {
      watchers.tell(payload ?? '');
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    listener = client;
    watchers.tellAll();
  };
  const again = async (): Promise<void> => {
    while (!closed) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const heard = await listen().then(
        () => true,
        () => false,
      );
      if (heard) return;
    }
  };
  await listen();
  const rowOf = (rows: readonly unknown[]): JobRecord | undefined => {
    const [row] = rows as { readonly record: JobRecord; readonly cancelled_at: number | null }[];
    if (row === undefined) return undefined;
    return { ...row.record, ...(row.cancelled_at === null ? {} : { cancelledAt: row.cancelled_at }) };
  };
  return {
    async put(record) {
      await pool.query(`insert into ${CHANNEL} (id, record) values ($1, $2)`, [
        record.id,
        JSON.stringify(record),
      ]);
    },
    async find(id) {
      return rowOf(
        (await pool.query(`select record, cancelled_at from ${CHANNEL} where id = $1`, [id])).rows,
      );
    },
    async cancel(id, at) {
      const { rows } = await pool.query(
        `update ${CHANNEL} set cancelled_at = coalesce(cancelled_at, $2) where id = $1
         returning record, cancelled_at, pg_notify('${CHANNEL}', id)`,
        [id, at],
      );
      return rowOf(rows);
    },
    watch: (id, changed) => Promise.resolve(watchers.add(id, changed)),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      closed = true;
      await listener?.end();
    },
  };
}
