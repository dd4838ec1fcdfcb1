import {
  admissible,
  type Claim,
  type Entry,
  keepable,
  type Store,
  type StoredResponse,
  wholeMs,
} from '../engine/store.ts';
import { givenBackError, givingBack, TICKET_MS } from './give-back.ts';
import { comparable, nameOf, newToken, readToken } from './names.ts';
import type { PostgresClient } from './postgres-tables.ts';

export { migrate, migration, type PostgresClient } from './postgres-tables.ts';
export { startSweeper, sweep, type SweeperOptions } from './postgres-sweeper.ts';
export { postgresWarnings } from './postgres-warnings.ts';

/**
 * A store on PostgreSQL (14 and later) for servers of many processes. Each operation is one statement and
 * uses the clock of the engine, at any isolation level of the role. Expired rows count as deleted; a sweeper
 * deletes them later.
 *
 * @param client your own, not within a transaction; the tables of `migration` must exist
 */
export function postgresStore(client: PostgresClient): Store {
  const query = patient(client);
  /** Changes a key if the fence owns it. */
  const change = async (fence: string, set: string, values: readonly unknown[] = []): Promise<boolean> => {
    const { name, unique } = readToken(fence);
    const owned = "name = $1 and owner = $2 and state = 'inFlight' and ends_at > clock_timestamp()";
    const text = `update tallystick_keys set ${set} where ${owned} returning 1`;
    return (await query(text, [name, unique, ...values])).length > 0;
  };
  /** Sets the state of a key if the fence owns it, or confirms that it was already set. */
  const settle = async (fence: string, state: string, set: string, values: readonly unknown[]) => {
    if (await change(fence, `state = '${state}', ready = null, kept_until = null, ${set}`, values))
      return true;
    const { name, unique } = readToken(fence);
    const current = 'case when ends_at <= clock_timestamp() then ready else state end';
    const already = await query(
      `select from tallystick_keys where name = $1 and owner = $2 and ${current} = $3
         and greatest(ends_at, kept_until) > clock_timestamp()`,
      [name, unique, state],
    );
    return already.length > 0;
  };
  const freedBy = (procedure: string) => async (fence: string) => {
    const { name, unique } = readToken(fence);
    const [row] = await query(`call ${procedure}($1, $2, null)`, [name, unique]);
    return (row as { readonly out_freed: boolean }).out_freed;
  };
  const giveBack = givingBack(freedBy('tallystick_unclaim'));
  const leave = async (ticket: string): Promise<void> => {
    await query('call tallystick_leave($1, null)', [readToken(ticket).unique]);
  };
  const giveTicketBack = givingBack(leave);

  return {
    async claim(scope, key, bodyHash, leaseMs): Promise<Claim> {
      const token = newToken(nameOf(scope, key));
      const given = [token.name, comparable(bodyHash), token.unique, wholeMs(leaseMs)];
      const claiming = query(
        'call tallystick_claim($1, $2, $3, $4, null, null, null, null, null, null, null)',
        given,
      );
      const [row] = await claiming.catch((error: unknown) => {
        giveBack(token.text, leaseMs);
        throw error;
      });
      const known = row as ClaimRow;
      switch (known.out_state) {
        case 'new':
          return { state: 'new', fence: token.text, collecting: known.out_collecting === true };
        case 'inFlight':
          return {
            ...{ state: 'inFlight', delivering: known.out_delivering === true },
            retryAfterMs: known.out_left_ms ?? 0,
          };
        case 'recorded': {
          const { out_status, out_headers, out_body } = known;
          return {
            state: 'recorded',
            response: {
              ...{ status: out_status ?? 0, headers: out_headers ?? [] },
              body: new Uint8Array(out_body ?? []),
            },
          };
        }
        case 'consumed':
        case 'mismatch':
          return { state: known.out_state };
        case 'givenBack':
          throw givenBackError('claim');
      }
    },
    renew: async (fence, leaseMs) => change(fence, `ends_at = ${after('$3')}`, [wholeMs(leaseMs)]),
    async prepare(fence, response, ttlMs, leaseMs) {
      const set = `ready = $4, kept_until = ${after('$3')}, status = $5, headers = $6::jsonb, body = $7,
        ends_at = coalesce(${after('$8')}, ends_at)`;
      const parts =
        response === undefined ? ['consumed', null, null, null] : ['recorded', ...partsOf(response)];
      const lease = leaseMs === undefined ? null : wholeMs(leaseMs);
      return change(fence, set, [wholeMs(ttlMs), ...parts, lease]);
    },
    async record(fence, response, ttlMs) {
      const set = `ends_at = ${after('$3')}, status = $4, headers = $5::jsonb, body = $6`;
      return settle(fence, 'recorded', set, [wholeMs(ttlMs), ...partsOf(response)]);
    },
    consume: async (fence, ttlMs) =>
      settle(fence, 'consumed', `${EMPTY}, ends_at = ${after('$3')}`, [wholeMs(ttlMs)]),
    park: async (fence, ttlMs) =>
      settle(fence, 'parked', `${EMPTY}, ends_at = ${after('$3')}`, [wholeMs(ttlMs)]),
    release: freedBy('tallystick_release'),
    async enter(scope, cents, bounds, leaseMs): Promise<Entry> {
      admissible(cents, bounds);
      const token = newToken(nameOf(scope, ''));
      const entering = query('call tallystick_admit($1, $2, $3, $4, $5, $6, null, null, null)', [
        ...[token.name, token.unique, cents, wholeMs(leaseMs), bounds.calls ?? null, bounds.cents ?? null],
      ]);
      const [row] = await entering.catch((error: unknown) => {
        giveTicketBack(token.text, leaseMs);
        throw error;
      });
      const { out_admitted, out_calls, out_cents } = row as EntryRow;
      if (out_admitted === null) throw givenBackError('entry');
      return out_admitted
        ? { admitted: true, ticket: token.text }
        : { admitted: false, held: { calls: Number(out_calls), cents: Number(out_cents) } };
    },
    async stay(ticket, leaseMs) {
      const rows = await query(
        `update tallystick_tickets set ends_at = ${after('$2')} where ticket = $1 and ends_at > clock_timestamp() returning 1`,
        [readToken(ticket).unique, wholeMs(leaseMs)],
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

// --- internal ---

const EMPTY = 'status = null, headers = null, body = null';

interface ClaimRow {
  readonly out_state: Claim['state'] | 'givenBack';
  readonly out_collecting: boolean | null;
  readonly out_left_ms: number | null;
  readonly out_delivering: boolean | null;
  readonly out_status: number | null;
  readonly out_headers: [string, string][] | null;
  readonly out_body: Uint8Array | null;
}

interface EntryRow {
  readonly out_admitted: boolean | null;
  readonly out_calls: string | null;
  readonly out_cents: number | null;
}

function partsOf(response: StoredResponse): [status: number, headers: string, body: Buffer] {
  const { status, headers, body } = keepable(response);
  return [status, JSON.stringify(headers), Buffer.from(body)];
}

function after(parameter: string): string {
  return `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;
}

/**
 * Whether a statement failed because of a conflict and can be repeated: above READ COMMITTED, and in
 * deadlocks.
 */
const CONTENTION: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const MOST_TRIES = 10;

function patient(client: PostgresClient): (text: string, values: unknown[]) => Promise<readonly unknown[]> {
  return async (text, values) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await client.query(text, values)).rows;
      } catch (error) {
        if (tries >= MOST_TRIES || !CONTENTION.has((error as { readonly code?: unknown }).code)) throw error;
      }
    }
  };
}
