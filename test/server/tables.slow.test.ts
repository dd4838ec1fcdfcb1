// @module-tag long
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate, migration, postgresStore, postgresWarnings } from '../../server/postgres.ts';
import { storeTests } from '../../server/store-tests.ts';
import { type Engine, startPostgres } from './engines.ts';
import { pause } from '../until.ts';

/** What the first version of the store made. */
const OLDEST = `
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

describe('tables of PostgreSQL', { tags: 'postgres' }, () => {
  let engine: Engine;
  let pool: pg.Pool;
  const opened = (url: string, options?: string): pg.Pool => {
    const opening = new pg.Pool({ connectionString: url, max: 4, options });
    opening.on('error', () => undefined);
    onTestFinished(() => opening.end());
    return opening;
  };
  beforeAll(async () => {
    engine = await startPostgres({ settings: ['fsync=on'] });
    pool = new pg.Pool({ connectionString: engine.url, max: 4 });
    pool.on('error', () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await engine.stop();
  });
  beforeEach(async () => {
    await pool.query('drop schema public cascade; create schema public');
  });

  test('that the oldest version made are brought up to date, with what they hold', async () => {
    await pool.query(OLDEST);
    await pool.query(
      `insert into tallystick_keys (name, state, body_hash, ends_at)
       values ('a', 'consumed', 'h', now() + interval '1 hour')`,
    );
    expect(await postgresWarnings(pool)).toEqual([
      expect.stringMatching(
        /another version, without tallystick_keys\.ready, tallystick_keys\.kept_until, .*tallystick_claim.*: run the migration/,
      ),
    ]);
    await Promise.all([migrate(pool), migrate(pool)]);
    expect(await postgresWarnings(pool)).toEqual([]);
    const { rows } = await pool.query("select state from tallystick_keys where name = 'a'");
    expect(rows).toEqual([{ state: 'consumed' }]);
    const store = postgresStore(pool);
    const under = { replicas: [store, store] as const, wait: pause, shortMs: 1_500 };
    await Promise.all(storeTests(() => under).map(({ run }) => run()));
  });

  test('that are absent are reported', async () => {
    expect(await postgresWarnings(pool)).toEqual(['the tables are not there: run the migration']);
  });

  test('with procedures of another version are reported, and mended', async () => {
    await migrate(pool);
    await pool.query(
      'create or replace procedure tallystick_leave(in_ticket uuid, out out_left boolean) language plpgsql as $$ begin out_left := false; end $$',
    );
    expect(await postgresWarnings(pool)).toEqual([expect.stringContaining('without tallystick_leave')]);
    await migrate(pool);
    expect(await postgresWarnings(pool)).toEqual([]);
  });

  test('that are finished need no right to make any: a role that may only use them migrates and works', async () => {
    await migrate(pool);
    await pool.query(`
      drop role if exists plain;
      create role plain login;
      revoke create on schema public from public;
      grant usage on schema public to plain;
      grant select, insert, update, delete on tallystick_keys, tallystick_tickets, tallystick_given_back to plain`);
    const plain = opened(engine.url.replace('postgres@', 'plain@'));
    await migrate(plain);
    await expect(plain.query(migration)).rejects.toThrow();
    expect(await postgresWarnings(plain)).toEqual([]);
    expect((await postgresStore(plain).claim('scope', 'a', 'h', 60_000)).state).toBe('new');
  });

  test('that a role may not write are reported, with the rights to grant', async () => {
    await migrate(pool);
    await pool.query(`
      drop role if exists reader;
      create role reader login;
      grant usage on schema public to reader;
      grant select, update, delete on tallystick_keys, tallystick_tickets, tallystick_given_back to reader;
      revoke execute on procedure tallystick_leave from public`);
    const reader = opened(engine.url.replace('postgres@', 'reader@'));
    expect(await postgresWarnings(reader)).toEqual([
      'the role may not insert on tallystick_keys, insert on tallystick_tickets, insert on tallystick_given_back, ' +
        'execute on procedure tallystick_leave: grant it these rights',
    ]);
    await expect(postgresStore(reader).claim('scope', 'a', 'h', 60_000)).rejects.toThrow('permission denied');
  });

  test('in transactions that only read by default are reported', async () => {
    await migrate(pool);
    const reading = opened(engine.url, '-c default_transaction_read_only=on');
    expect(await postgresWarnings(reading)).toEqual([
      expect.stringContaining('default_transaction_read_only is on'),
    ]);
  });
});
