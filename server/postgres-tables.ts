import { GIVEN_BACK_MS } from './give-back.ts';

/** The used part of a pool or client of the npm package `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The tables of the store, each with its columns. */
export const tables = {
  tallystick_keys: [
    ...['name', 'state', 'body_hash', 'owner', 'collecting', 'status', 'headers', 'body', 'ends_at'],
    ...['ready', 'kept_until'],
  ],
  tallystick_tickets: ['ticket', 'scope', 'cents', 'ends_at'],
  tallystick_given_back: ['token', 'ends_at'],
} as const;

/**
 * A statement that waits for a lock must see the changes of the lock's owner. Only READ COMMITTED gives each
 * statement its own snapshot, so locking statements set the level instead of relying on the defaults of the
 * role or the database. Inside another transaction the level cannot be changed, and the call is refused.
 */
const READ_COMMITTED = `
  if current_setting('transaction_isolation') <> 'read committed' then
    commit;
    set transaction isolation level read committed;
  end if;`;

const MILLISECOND = "interval '1 millisecond'";
const GIVEN_BACK = `clock_timestamp() + ${String(GIVEN_BACK_MS)} * ${MILLISECOND}`;

/** Whether a key waits to be collected, also because the one who collected it did not come back. */
const IS_PARKED = `coalesce(held.state = 'parked' and held.ends_at > clock_timestamp()
  or held.state = 'inFlight' and held.ready = 'parked' and held.ends_at <= clock_timestamp()
    and held.kept_until > clock_timestamp(), false)`;

/** @param ready an expression: what the key is from now on */
function releasing(ready: string) {
  return {
    parameters: 'in_name text, in_owner uuid, out out_freed boolean',
    body: `
begin${READ_COMMITTED}
  if not pg_try_advisory_xact_lock(hashtextextended(in_owner::text, 7434)) then
    raise exception 'the claim is still under way' using errcode = 'lock_not_available';
  end if;
  -- The row remains until it is swept, so that the command says the same when it is sent again.
  update tallystick_keys set ends_at = clock_timestamp(), ready = ${ready},
      kept_until = case when ${ready} = 'parked' then kept_until end, status = null, headers = null, body = null
    where name = in_name and owner = in_owner and state = 'inFlight' and ends_at > clock_timestamp();
  out_freed := found or exists (
    select from tallystick_keys
      where name = in_name and owner = in_owner and state = 'inFlight' and ready = ${ready});
  if not out_freed then
    insert into tallystick_given_back (token, ends_at) values (in_owner, ${GIVEN_BACK})
      on conflict do nothing;
  end if;
end `,
  };
}

/** The procedures of the store: their parameters and bodies. */
export const procedures = {
  tallystick_claim: {
    parameters: `in_name text, in_hash text, in_owner uuid, in_lease double precision,
  out out_state text, out out_collecting boolean, out out_left_ms double precision, out out_delivering boolean,
  out out_status integer, out out_headers jsonb, out out_body bytea`,
    body: `
declare
  known tallystick_keys%rowtype;
begin${READ_COMMITTED}
  -- A claim that is still under way is not given back meanwhile.
  perform pg_advisory_xact_lock(hashtextextended(in_owner::text, 7434));
  if exists (select from tallystick_given_back where token = in_owner) then
    out_state := 'givenBack';
    return;
  end if;
  loop
    insert into tallystick_keys as held (name, state, body_hash, owner, ends_at)
      values (in_name, 'inFlight', in_hash, in_owner, clock_timestamp() + in_lease * ${MILLISECOND})
      on conflict (name) do update set
        state = 'inFlight', body_hash = excluded.body_hash, owner = excluded.owner, ends_at = excluded.ends_at,
        collecting = ${IS_PARKED},
        ready = case when ${IS_PARKED} then 'parked' end,
        kept_until = case when ${IS_PARKED} then greatest(held.ends_at, held.kept_until) end,
        status = null, headers = null, body = null
      where (held.ends_at <= clock_timestamp()
             and coalesce(held.kept_until, '-infinity') <= clock_timestamp())
         or (${IS_PARKED} and held.body_hash = excluded.body_hash)
      returning held.collecting into out_collecting;
    if found then
      out_state := 'new';
      return;
    end if;
    select * into known from tallystick_keys
      where name = in_name and greatest(ends_at, kept_until) > clock_timestamp();
    -- If it ended between the two, it is claimed after all.
    continue when not found;
    if known.owner = in_owner and known.state = 'inFlight' then
      -- The command was sent again: it is the same claim.
      out_state := 'new';
      out_collecting := known.collecting;
      return;
    end if;
    out_state := case
      when known.body_hash <> in_hash then 'mismatch'
      when known.ends_at <= clock_timestamp() then known.ready
      else known.state end;
    -- Its work can be collected now.
    continue when out_state = 'parked';
    out_left_ms := greatest(0, extract(epoch from known.ends_at - clock_timestamp()) * 1000);
    out_delivering := coalesce(known.ready <> 'parked', false);
    if out_state = 'recorded' then
      out_status := known.status;
      out_headers := known.headers;
      out_body := known.body;
    end if;
    return;
  end loop;
end `,
  },
  tallystick_release: releasing("'released'"),
  // For a claim of which its owner never heard: a parked key stays parked.
  tallystick_unclaim: releasing("case when ready = 'parked' then ready else 'released' end"),
  tallystick_admit: {
    parameters: `in_scope text, in_ticket uuid, in_cents double precision, in_lease double precision,
  most_calls double precision, most_cents double precision,
  out out_admitted boolean, out out_calls bigint, out out_cents double precision`,
    body: `
begin${READ_COMMITTED}
  perform pg_advisory_xact_lock(hashtextextended(in_ticket::text, 7434));
  -- What was given back is neither admitted nor refused.
  if exists (select from tallystick_given_back where token = in_ticket) then
    return;
  end if;
  -- Calls that enter one scope at once are counted one after the other.
  perform pg_advisory_xact_lock(hashtextextended(in_scope, 7433));
  if exists (select from tallystick_tickets where ticket = in_ticket and ends_at > clock_timestamp()) then
    out_admitted := true;
    return;
  end if;
  select count(*), coalesce(sum(held.cents), 0) into out_calls, out_cents
    from tallystick_tickets held where held.scope = in_scope and held.ends_at > clock_timestamp();
  out_admitted := (most_calls is null or out_calls < most_calls)
    and (most_cents is null or out_cents + in_cents <= most_cents);
  if out_admitted then
    insert into tallystick_tickets (ticket, scope, cents, ends_at)
      values (in_ticket, in_scope, in_cents, clock_timestamp() + in_lease * ${MILLISECOND});
  end if;
end `,
  },
  tallystick_leave: {
    parameters: 'in_ticket uuid, out out_left boolean',
    body: `
begin${READ_COMMITTED}
  if not pg_try_advisory_xact_lock(hashtextextended(in_ticket::text, 7434)) then
    raise exception 'the entry is still under way' using errcode = 'lock_not_available';
  end if;
  delete from tallystick_tickets where ticket = in_ticket;
  out_left := found;
  if not out_left then
    insert into tallystick_given_back (token, ends_at) values (in_ticket, ${GIVEN_BACK})
      on conflict do nothing;
  end if;
end `,
  },
} as const;

/**
 * The statements that create the tables and procedures of the store, or update older ones. They can run repeatedly,
 * and in several processes at once.
 */
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
  ends_at timestamptz not null
);
-- What a key in flight becomes when its owner does not come back, and until when it is kept.
alter table tallystick_keys
  add column if not exists ready text,
  add column if not exists kept_until timestamptz;
create index if not exists tallystick_keys_ends_at on tallystick_keys (ends_at);
create table if not exists tallystick_tickets (
  ticket uuid primary key,
  scope text not null,
  cents double precision not null,
  ends_at timestamptz not null
);
create index if not exists tallystick_tickets_scope on tallystick_tickets (scope);
create index if not exists tallystick_tickets_ends_at on tallystick_tickets (ends_at);
-- Claims and tickets that were given back before they arrived.
create table if not exists tallystick_given_back (
  token uuid primary key,
  ends_at timestamptz not null
);
create index if not exists tallystick_given_back_ends_at on tallystick_given_back (ends_at);
${Object.entries(procedures)
  .map(
    ([name, { parameters, body }]) =>
      `create or replace procedure ${name}(\n  ${parameters}\n) language plpgsql as $$${body}$$;\n`,
  )
  .join('')}`;

/**
 * Creates or updates the tables and procedures of the store. If they are current, it changes nothing, and the role
 * needs no right to create tables.
 */
export async function migrate(client: PostgresClient): Promise<void> {
  if ((await missingParts(client)).length > 0) await client.query(migration);
}

/** The tables, columns, indexes and procedures that are missing or of another version. */
export async function missingParts(client: PostgresClient): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select classes.relname || '.' || attname as part, null as body
       from pg_attribute join pg_class classes on classes.oid = attrelid
       where attrelid = any(array(select to_regclass(name)::oid from unnest($1::text[]) name)) and attnum > 0 and not attisdropped
     union all select name, null from unnest($2::text[]) name where to_regclass(name) is not null
     union all select proname, prosrc from pg_proc where oid = any(array(select to_regproc(name)::oid from unnest($3::text[]) name))`,
    [Object.keys(tables), indexes, Object.keys(procedures)],
  );
  const parts = new Map(
    (rows as { part: string; body: string | null }[]).map(({ part, body }) => [part, body]),
  );
  const columns = Object.entries(tables).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
  return [
    ...[...columns, ...indexes].filter((part) => !parts.has(part)),
    ...Object.entries(procedures)
      .filter(([name, { body }]) => parts.get(name) !== body)
      .map(([name]) => name),
  ];
}

// --- internal ---

const indexes = [
  'tallystick_keys_ends_at',
  'tallystick_tickets_scope',
  'tallystick_tickets_ends_at',
  'tallystick_given_back_ends_at',
];
