import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createClient } from 'redis';
import { type Board, cancelling, endsCancel, endsWith, Watchers } from './board.ts';
import type { Happening, JobRecord } from './timeline.ts';

const CHANNEL = 'reference_jobs';

/** The immutable data of a job. */
type Kept = Omit<JobRecord, 'course' | 'tries' | 'cancelledAt'>;

/**
 * Jobs on Valkey or Redis, with changes propagated by its publish/subscribe. Unfinished jobs are ordered by
 * the end of their lease.
 */
export async function redisBoard(url: string): Promise<Board> {
  const watchers = new Watchers();
  const client = createClient({ url, disableOfflineQueue: true });
  const subscriber = createClient({ url });
  for (const each of [client, subscriber]) each.on('error', () => undefined);
  // Messages from the time without a connection are looked up.
  subscriber.on('ready', () => {
    watchers.tellAll();
  });
  await Promise.all([client.connect(), subscriber.connect()]);
  await subscriber.subscribe(CHANNEL, (id) => {
    watchers.tell(id);
  });
  const keyOf = (id: string): string => `${JOB}${id}`;
  const run = (
    script: string,
    keys: readonly string[],
    given: readonly (string | number)[],
  ): Promise<unknown> => client.eval(script, { keys: [...keys], arguments: given.map(String) });
  const recordOf = (fields: Readonly<Record<string, string>>): JobRecord | undefined => {
    const { record, course, tries, cancelledAt } = fields;
    if (record === undefined) return undefined;
    return {
      ...(JSON.parse(record) as Kept),
      course: JSON.parse(`[${course ?? ''}]`) as Happening[],
      tries: Number(tries ?? 0),
      ...(cancelledAt === undefined ? {} : { cancelledAt: Number(cancelledAt) }),
    };
  };
  const find = async (id: string): Promise<JobRecord | undefined> =>
    recordOf(await client.hGetAll(keyOf(id)));
  return {
    async put({ course, tries, ...kept }) {
      await client
        .multi()
        .hSet(keyOf(kept.id), { record: JSON.stringify(kept), course: textOf(course), tries })
        .pExpireAt(keyOf(kept.id), kept.expiresAt)
        .zAdd(OPEN, { score: 0, value: kept.id })
        .exec();
    },
    find,
    async cancel(id, at) {
      await run(CANCEL, [keyOf(id), OPEN], [id, at, textOf([cancelling(at)]), CHANNEL]);
      return find(id);
    },
    async take(leaseMs) {
      const fence = randomUUID();
      const id = (await run(TAKE, [OPEN], [JOB, fence, leaseMs])) as string | null;
      const record = id === null ? undefined : await find(id);
      return record === undefined ? undefined : { record, fence };
    },
    async report({ record: { id }, fence }, happenings, leaseMs) {
      const given = [
        id,
        fence,
        leaseMs,
        textOf(happenings),
        Number(endsWith(happenings)),
        Number(endsCancel(happenings)),
      ];
      const owned = await run(REPORT, [keyOf(id), OPEN], [...given, CHANNEL]);
      return owned === 1 ? find(id) : undefined;
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

/** Jobs on PostgreSQL, with changes propagated by LISTEN and NOTIFY. */
export async function postgresBoard(url: string, pool: pg.Pool): Promise<Board> {
  const watchers = new Watchers();
  await pool.query(
    `select pg_advisory_xact_lock(7433002);
     create table if not exists ${TABLE} (
       id text primary key, record jsonb not null, course jsonb not null, tries integer not null,
       cancelled_at double precision, fence uuid,
       -- When its worker counts as gone; nothing once it is over.
       lease_ends timestamptz);
     create index if not exists ${TABLE}_open on ${TABLE} (lease_ends) where lease_ends is not null`,
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
  const tidying = setInterval(() => {
    const isOld = "(record ->> 'expiresAt')::double precision < extract(epoch from clock_timestamp()) * 1000";
    pool.query(`delete from ${TABLE} where ${isOld}`).catch(() => undefined);
  }, 60_000);
  tidying.unref();
  const rowOf = (rows: readonly unknown[]): JobRecord | undefined => {
    const [row] = rows as JobRow[];
    if (row === undefined) return undefined;
    const { record, course, tries, cancelled_at } = row;
    return { ...record, course, tries, ...(cancelled_at === null ? {} : { cancelledAt: cancelled_at }) };
  };
  const find = async (id: string): Promise<JobRecord | undefined> =>
    rowOf((await pool.query(`select ${COLUMNS} from ${TABLE} where id = $1`, [id])).rows);
  return {
    async put({ course, tries, ...kept }) {
      await pool.query(
        `insert into ${TABLE} (id, record, course, tries, lease_ends) values ($1, $2, $3, $4, '-infinity')`,
        [kept.id, JSON.stringify(kept), JSON.stringify(course), tries],
      );
    },
    find,
    async cancel(id, at) {
      await pool.query(
        `update ${TABLE} set cancelled_at = $2, course = course || $3::jsonb
         where id = $1 and cancelled_at is null and lease_ends is not null
         returning pg_notify('${CHANNEL}', id)`,
        [id, at, JSON.stringify([cancelling(at)])],
      );
      return find(id);
    },
    async take(leaseMs) {
      const fence = randomUUID();
      const { rows } = await pool.query(
        `update ${TABLE} set fence = $1, tries = tries + 1, lease_ends = ${leaseFor('$2')}
         where id = (select id from ${TABLE} where lease_ends <= clock_timestamp()
                     order by lease_ends limit 1 for update skip locked)
         returning ${COLUMNS}`,
        [fence, leaseMs],
      );
      const record = rowOf(rows);
      return record === undefined ? undefined : { record, fence };
    },
    async report({ record: { id }, fence }, happenings, leaseMs) {
      const { rows } = await pool.query(
        `update ${TABLE} set
           tries = case when jsonb_array_length($3::jsonb) > 0 then 0 else tries end,
           course = case when cancelled_at is null or $5 then course || $3::jsonb else course end,
           lease_ends = case when $6 and (cancelled_at is null or $5) then null else ${leaseFor('$4')} end
         where id = $1 and fence = $2 and lease_ends is not null
         returning ${COLUMNS}, case when jsonb_array_length($3::jsonb) > 0 then pg_notify('${CHANNEL}', id) end`,
        [id, fence, JSON.stringify(happenings), leaseMs, endsCancel(happenings), endsWith(happenings)],
      );
      return rowOf(rows);
    },
    watch: (id, changed) => Promise.resolve(watchers.add(id, changed)),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      closed = true;
      clearInterval(tidying);
      await listener?.end();
    },
  };
}

// --- internal ---

const JOB = 'reference-job:';
const OPEN = 'reference-jobs-open';
const TABLE = 'reference_job_board';
const COLUMNS = 'record, course, tries, cancelled_at';

interface JobRow {
  readonly record: Kept;
  readonly course: readonly Happening[];
  readonly tries: number;
  readonly cancelled_at: number | null;
}

function leaseFor(parameter: string): string {
  return `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;
}

/** Happenings as a hash stores them one after the other: without the brackets of a list. */
function textOf(happenings: readonly Happening[]): string {
  return JSON.stringify(happenings).slice(1, -1);
}

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

const CANCEL = `
if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 0 end
if redis.call('HSETNX', KEYS[1], 'cancelledAt', ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'course', redis.call('HGET', KEYS[1], 'course') .. ',' .. ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[1])
return 1`;

const TAKE = `${NOW}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 10)) do
  local job = ARGV[1] .. id
  if redis.call('EXISTS', job) == 1 then
    redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), id)
    redis.call('HSET', job, 'fence', ARGV[2])
    redis.call('HINCRBY', job, 'tries', 1)
    return id
  end
  redis.call('ZREM', KEYS[1], id)
end
return false`;

const REPORT = `${NOW}
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[2] or not redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[3]), ARGV[1])
local isOff = redis.call('HEXISTS', KEYS[1], 'cancelledAt') == 1 and ARGV[6] ~= '1'
if isOff or ARGV[4] == '' then return 1 end
redis.call('HSET', KEYS[1], 'tries', 0, 'course', redis.call('HGET', KEYS[1], 'course') .. ',' .. ARGV[4])
if ARGV[5] == '1' then redis.call('ZREM', KEYS[2], ARGV[1]) end
redis.call('PUBLISH', ARGV[7], ARGV[1])
return 1`;
