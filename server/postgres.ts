import type { Claim, Entry, Store } from '../generator/server-runtime/store.ts';
import { givingBack, TICKET_MS } from './give-back.ts';
import { nameOf, newToken, readToken } from './names.ts';

/** A pool of the npm package `pg`, or a client that has its shape, by what is used of it. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The statements that make what the store needs. They can be run again, and by several processes at once. */
export const migration = `
select pg_advisory_xact_lock(7433001);
create table if not exists tallystick_keys (
  name text primary key,
  state text not null check (state in ('inFlight', 'recorded', 'consumed', 'parked')),
  body_hash text not null,
  owner uuid,
  collecting boolean not null default false,
  status integer,
  headers jsonb,
  body bytea,
  ends_at timestamptz not null,
  -- What a key in flight becomes when its owner does not come back, and until when it is kept.
  ready text,
  kept_until timestamptz
);
create index if not exists tallystick_keys_ends_at on tallystick_keys (ends_at);
create table if not exists tallystick_tickets (
  ticket uuid primary key,
  scope text not null,
  cents double precision not null,
  ends_at timestamptz not null
);
create index if not exists tallystick_tickets_scope on tallystick_tickets (scope);
create index if not exists tallystick_tickets_ends_at on tallystick_tickets (ends_at);
create or replace function tallystick_enter(
  in_scope text, in_ticket uuid, in_cents double precision, in_lease double precision,
  most_calls double precision, most_cents double precision,
  out admitted boolean, out calls bigint, out cents double precision
) language plpgsql as $$
begin
  -- Of those who would enter one scope at once, one looks after the other.
  perform pg_advisory_xact_lock(hashtextextended(in_scope, 7433));
  select count(*), coalesce(sum(held.cents), 0) into calls, cents
    from tallystick_tickets held where held.scope = in_scope and held.ends_at > clock_timestamp();
  admitted := (most_calls is null or calls < most_calls) and (most_cents is null or cents + in_cents <= most_cents);
  if admitted then
    insert into tallystick_tickets (ticket, scope, cents, ends_at)
      values (in_ticket, in_scope, in_cents, clock_timestamp() + in_lease * interval '1 millisecond');
  end if;
end $$;
`;

/** Makes what the store needs, where it is not there yet. */
export async function migrate(client: PostgresClient): Promise<void> {
  await client.query(migration);
}

/**
 * A store on PostgreSQL (14 and later) for servers of many processes. Each operation is one statement and goes by the
 * clock of the engine. What expired counts as gone; a sweeper takes it away.
 *
 * @param client your own; the tables of `migration` have to be there
 */
export function postgresStore(client: PostgresClient): Store {
  const settle = async (fence: string, change: string, values: readonly unknown[]): Promise<boolean> => {
    const { name, unique } = readToken(fence);
    const owned = "name = $1 and owner = $2 and state = 'inFlight' and ends_at > clock_timestamp()";
    const { rows } = await client.query(`${change} where ${owned} returning 1`, [name, unique, ...values]);
    return rows.length > 0;
  };
  const release = async (fence: string): Promise<void> => {
    await settle(fence, 'delete from tallystick_keys', []);
  };
  const giveBack = givingBack(release);
  const leave = async (ticket: string): Promise<void> => {
    await client.query('delete from tallystick_tickets where ticket = $1', [readToken(ticket).unique]);
  };
  const giveTicketBack = givingBack(leave);
  const after = (parameter: string): string =>
    `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;

  return {
    async claim(scope, key, bodyHash, leaseMs): Promise<Claim> {
      const token = newToken(nameOf(scope, key));
      for (;;) {
        const claiming = client.query(
          `insert into tallystick_keys as known (name, state, body_hash, owner, ends_at)
           values ($1, 'inFlight', $2, $3, ${after('$4')})
           on conflict (name) do update set
             state = 'inFlight', body_hash = excluded.body_hash, owner = excluded.owner, ends_at = excluded.ends_at,
             collecting = known.state = 'parked' and known.ends_at > clock_timestamp(),
             status = null, headers = null, body = null, ready = null, kept_until = null
           where (known.ends_at <= clock_timestamp()
                  and coalesce(known.kept_until, '-infinity') <= clock_timestamp())
              or (known.state = 'parked' and known.body_hash = excluded.body_hash)
           returning collecting`,
          [token.name, bodyHash, token.unique, leaseMs],
        );
        const claimed = await claiming.catch((error: unknown) => {
          giveBack(token.text, leaseMs);
          throw error;
        });
        const [own] = claimed.rows as { readonly collecting: boolean }[];
        if (own !== undefined) return { state: 'new', fence: token.text, collecting: own.collecting };
        const { rows } = await client.query(
          `select body_hash, status, headers, body,
             case when ends_at <= clock_timestamp() then ready else state end as state,
             extract(epoch from ends_at - clock_timestamp()) * 1000 as left_ms, ready is not null as delivering
           from tallystick_keys where name = $1 and greatest(ends_at, kept_until) > clock_timestamp()`,
          [token.name],
        );
        const [row] = rows as KeyRow[];
        // It ended between the two looks, or its work can be collected now: it is claimed after all.
        if (row === undefined || (row.state === 'parked' && row.body_hash === bodyHash)) continue;
        if (row.body_hash !== bodyHash) return { state: 'mismatch' };
        if (row.state === 'inFlight')
          return {
            ...{ state: 'inFlight', delivering: row.delivering },
            retryAfterMs: Math.max(0, Number(row.left_ms)),
          };
        if (row.state !== 'recorded') return { state: 'consumed' };
        return {
          state: 'recorded',
          response: {
            status: row.status ?? 0,
            headers: row.headers ?? [],
            body: new Uint8Array(row.body ?? []),
          },
        };
      }
    },
    renew: (fence, leaseMs) =>
      settle(fence, `update tallystick_keys set ends_at = ${after('$3')}`, [leaseMs]),
    async prepare(fence, response, ttlMs, leaseMs) {
      const change = `update tallystick_keys set ready = $4, kept_until = ${after('$3')}, status = $5, headers = $6::jsonb, body = $7,
        ends_at = coalesce(${after('$8')}, ends_at)`;
      const parts =
        response === undefined
          ? ['consumed', null, null, null]
          : ['recorded', response.status, JSON.stringify(response.headers), Buffer.from(response.body)];
      await settle(fence, change, [ttlMs, ...parts, leaseMs ?? null]);
    },
    async record(fence, { status, headers, body }, ttlMs) {
      const change = `update tallystick_keys set state = 'recorded', owner = null, ready = null, kept_until = null, ends_at = ${after('$3')}, status = $4, headers = $5::jsonb, body = $6`;
      await settle(fence, change, [ttlMs, status, JSON.stringify(headers), Buffer.from(body)]);
    },
    async consume(fence, ttlMs) {
      await settle(
        fence,
        `update tallystick_keys set state = 'consumed', ${EMPTY}, ends_at = ${after('$3')}`,
        [ttlMs],
      );
    },
    async park(fence, ttlMs) {
      await settle(fence, `update tallystick_keys set state = 'parked', ${EMPTY}, ends_at = ${after('$3')}`, [
        ttlMs,
      ]);
    },
    release,
    async enter(scope, cents, bounds, leaseMs): Promise<Entry> {
      const token = newToken(nameOf(scope, ''));
      const entering = client.query('select * from tallystick_enter($1, $2, $3, $4, $5, $6)', [
        ...[token.name, token.unique, cents, leaseMs, bounds.calls ?? null, bounds.cents ?? null],
      ]);
      const { rows } = await entering.catch((error: unknown) => {
        giveTicketBack(token.text, leaseMs);
        throw error;
      });
      const [row] = rows as { readonly admitted: boolean; readonly calls: string; readonly cents: number }[];
      return row?.admitted === true
        ? { admitted: true, ticket: token.text }
        : { admitted: false, held: { calls: Number(row?.calls ?? 0), cents: Number(row?.cents ?? 0) } };
    },
    async stay(ticket, leaseMs) {
      const { rows } = await client.query(
        `update tallystick_tickets set ends_at = ${after('$2')} where ticket = $1 and ends_at > clock_timestamp() returning 1`,
        [readToken(ticket).unique, leaseMs],
      );
      return rows.length > 0;
    },
    async leave(ticket) {
      const { text } = readToken(ticket);
      await leave(text).catch((error: unknown) => {
        giveTicketBack(text, TICKET_MS);
        throw error;
      });
    },
  };
}

export interface SweeperOptions {
  /** Default: a minute. */
  readonly everyMs?: number;
  /** How many rows one statement takes away, so that it holds nobody up; default 1,000. */
  readonly batch?: number;
  readonly onError?: (error: unknown) => void;
}

/** Takes expired rows away, batch by batch, until there are none. Several processes may sweep at once. */
export async function sweep(client: PostgresClient, batch = 1_000): Promise<number> {
  let swept = 0;
  // The time of the statement stands still: the index can be asked by it, as it cannot by the clock's.
  const tables = {
    tallystick_keys:
      "ends_at <= statement_timestamp() and coalesce(kept_until, '-infinity') <= statement_timestamp()",
    tallystick_tickets: 'ends_at <= statement_timestamp()',
  };
  for (const [table, isOver] of Object.entries(tables)) {
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

/** Sweeps now and then until it is stopped. Keeps no process alive. */
export function startSweeper(client: PostgresClient, options: SweeperOptions = {}): () => void {
  const timer = setInterval(() => {
    sweep(client, options.batch).catch(options.onError ?? (() => undefined));
  }, options.everyMs ?? 60_000);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

/** What in the settings of the engine could lose records, each with what to do about it. */
export async function postgresWarnings(client: PostgresClient): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('synchronous_standby_names') as standbys, pg_is_in_recovery() as recovering,
       (select relpersistence from pg_class where oid = to_regclass('tallystick_keys')) as persistence,
       (select count(*) from pg_stat_replication)::int as replicas`,
  );
  const [row] = rows as {
    readonly fsync: string;
    readonly commit: string;
    readonly standbys: string;
    readonly recovering: boolean;
    readonly persistence: string | null;
    readonly replicas: number;
  }[];
  if (row === undefined) return [];
  return [
    ...(row.fsync === 'off' ? ['fsync is off: records are lost when the machine stops; set it to on'] : []),
    ...(row.commit === 'off'
      ? ['synchronous_commit is off: the last records are lost when the engine stops; set it to on']
      : []),
    ...(row.persistence === null ? ['the tables are not there: run the migration'] : []),
    ...(row.persistence === 'u'
      ? ['tallystick_keys is unlogged: it is emptied after a crash; alter table tallystick_keys set logged']
      : []),
    ...(row.recovering ? ['this is a standby: connect to the primary'] : []),
    ...(row.replicas > 0 && row.standbys === ''
      ? ['replication is asynchronous: a failover can lose the last records; set synchronous_standby_names']
      : []),
    ...(row.standbys !== '' && ['local', 'remote_write'].includes(row.commit)
      ? [`synchronous_commit is ${row.commit}: the standby need not hold a record that counts; set it to on`]
      : []),
  ];
}

// --- internal ---

const EMPTY = 'owner = null, ready = null, kept_until = null, status = null, headers = null, body = null';

interface KeyRow {
  readonly state: 'inFlight' | 'recorded' | 'consumed' | 'parked';
  readonly body_hash: string;
  readonly status: number | null;
  readonly headers: [string, string][] | null;
  readonly body: Uint8Array | null;
  readonly left_ms: string | number;
  readonly delivering: boolean;
}
