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
import { comparable, nameOf, newToken, readToken, type Token } from './names.ts';
import { refusingEviction } from './redis-eviction.ts';
import {
  CLAIM,
  ENTER,
  KEEP,
  LEAVE,
  PREPARE,
  RECORD,
  RELEASE,
  RENEW,
  type Script,
  STAY,
} from './redis-scripts.ts';

/** The used part of a client of the npm package `redis`. */
export interface RedisClient {
  sendCommand(command: string[]): Promise<unknown>;
}

/** The used part of a client of the npm package `ioredis`. */
export interface IoredisClient {
  call(command: string, ...parts: string[]): Promise<unknown>;
}

/** The used part of a cluster of the npm package `redis`. */
export interface RedisClusterClient {
  readonly slots: unknown;
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    command: string[],
  ): Promise<unknown>;
}

/** A client of one of the supported libraries. */
export type AnyRedisClient = RedisClient | RedisClusterClient | IoredisClient;

/** Options of a store in Valkey or Redis. */
export interface RedisStoreOptions {
  /** The prefix of all key names. */
  readonly prefix?: string;
  /**
   * How many replicas must have a claim or an answer before it counts (`WAIT`); default 0. If it includes
   * every replica that could be promoted, a failover loses none of them. The client then has to be one
   * connection that neither buffers nor repeats commands.
   */
  readonly replicas?: number;
  /**
   * How long the replicas may take, in milliseconds; default 1,000. After that, the claim or answer counts as
   * refused.
   */
  readonly replicasMs?: number;
  /**
   * Use an engine that throws records away when its memory is full (`maxmemory-policy` other than `noeviction`). The call of
   * a lost record runs, and is charged, twice. Default: such an engine gets no claims, and calls with a key are answered
   * with 503.
   */
  readonly acceptEviction?: boolean;
}

/**
 * A store on Valkey or Redis (7 and later) for servers of many processes. Each operation is one script, which
 * the engine runs atomically with its own clock. The engine deletes expired entries itself.
 *
 * @param client your own, connected; configure it to fail at once when the engine is unavailable, instead of
 * buffering commands
 */
export function redisStore(client: AnyRedisClient, options: RedisStoreOptions = {}): Store {
  const prefix = options.prefix ?? 'tallystick:';
  const send = sender(client);
  const { replicas = 0, replicasMs = 1_000, acceptEviction = false } = options;
  const permitted = refusingEviction(async (key) =>
    acceptEviction ? '' : textOf(await send(['INFO', 'memory'], key)),
  );
  if (replicas > 0 && ['slots', 'isCluster', 'totalClients'].some((sign) => sign in client))
    throw new TypeError('a store that waits for replicas needs a client that is one connection');
  const sendToAll = replicas > 0 ? acknowledged(send, replicas, replicasMs) : send;
  const run = (
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
    by = send,
  ): Promise<unknown> => runScript(by, script, keys, values.map(String));
  const keyAt = ({ name }: Token): string => `${prefix}key:{${name}}`;
  /** The key that remembers the release of a claim or ticket. */
  const givenBackAt = ({ name, unique }: Token): string => `${prefix}given-back:{${name}}:${unique}`;
  const ticketsAt = ({ name }: Token): string[] => [`${prefix}held:{${name}}`, `${prefix}cents:{${name}}`];
  const settle = async (
    script: Script,
    fence: string,
    values: readonly (string | number)[],
    by = sendToAll,
  ): Promise<boolean> => {
    const token = readToken(fence);
    return Number(await run(script, [keyAt(token)], [token.unique, ...values], by)) === 1;
  };
  const release = async (fence: string, how = 'heard'): Promise<boolean> => {
    const token = readToken(fence);
    return Number(await run(RELEASE, [keyAt(token), givenBackAt(token)], [token.unique, how])) === 1;
  };
  const giveBack = givingBack((fence) => release(fence, 'unheard'));
  const leave = async (ticket: string): Promise<void> => {
    const token = readToken(ticket);
    await run(LEAVE, [...ticketsAt(token), givenBackAt(token)], [token.unique]);
  };
  const giveTicketBack = givingBack(leave);

  return {
    async claim(scope, key, bodyHash, leaseMs): Promise<Claim> {
      const token = newToken(nameOf(scope, key));
      const given = [comparable(bodyHash), token.unique, wholeMs(leaseMs)];
      const keys = [keyAt(token), givenBackAt(token)];
      await permitted(keyAt(token));
      const claimed = run(CLAIM, keys, given, sendToAll).catch((error: unknown) => {
        giveBack(token.text, leaseMs);
        throw error;
      });
      const [state, ...rest] = ((await claimed) as unknown[]).map(textOf);
      switch (state) {
        case 'new':
          return { state, fence: token.text, collecting: rest[0] === '1' };
        case 'inFlight':
          return { state, retryAfterMs: Number(rest[0]), delivering: rest[1] === '1' };
        case 'recorded': {
          const [status, headers, body] = rest;
          return {
            state,
            response: {
              status: Number(status),
              headers: JSON.parse(headers ?? '[]') as [string, string][],
              body: new Uint8Array(Buffer.from(body ?? '', 'base64')),
            },
          };
        }
        case 'consumed':
        case 'mismatch':
          return { state };
        case 'givenBack':
          throw givenBackError('claim');
        default:
          throw new Error(`the engine answered a claim with ${String(state)}`);
      }
    },
    renew: async (fence, leaseMs) => settle(RENEW, fence, [wholeMs(leaseMs)], send),
    async prepare(fence, response, ttlMs, leaseMs) {
      const times = [wholeMs(ttlMs), leaseMs === undefined ? '' : wholeMs(leaseMs)] as const;
      const [ready, parts] = response === undefined ? ['consumed', []] : ['recorded', partsOf(response)];
      return settle(PREPARE, fence, [times[0], ready, times[1], ...parts]);
    },
    record: async (fence, response, ttlMs) => settle(RECORD, fence, [wholeMs(ttlMs), ...partsOf(response)]),
    consume: async (fence, ttlMs) => settle(KEEP, fence, ['consumed', wholeMs(ttlMs)]),
    park: async (fence, ttlMs) => settle(KEEP, fence, ['parked', wholeMs(ttlMs)]),
    release: (fence) => release(fence),
    async enter(scope, cents, bounds, leaseMs): Promise<Entry> {
      admissible(cents, bounds);
      const token = newToken(nameOf(scope, ''));
      const given = [token.unique, wholeMs(leaseMs), cents, bounds.calls ?? '', bounds.cents ?? ''];
      const keys = [...ticketsAt(token), givenBackAt(token)];
      const entered = run(ENTER, keys, given).catch((error: unknown) => {
        giveTicketBack(token.text, leaseMs);
        throw error;
      });
      const [admitted, calls, held] = ((await entered) as unknown[]).map(textOf);
      if (admitted === 'givenBack') throw givenBackError('entry');
      return admitted === '1'
        ? { admitted: true, ticket: token.text }
        : { admitted: false, held: { calls: Number(calls ?? 0), cents: Number(held ?? 0) } };
    },
    async stay(ticket, leaseMs) {
      const token = readToken(ticket);
      return Number(await run(STAY, ticketsAt(token), [token.unique, wholeMs(leaseMs)])) === 1;
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

/**
 * Settings of the engine that could lose records, each with a remedy. After a lost record, a call can run,
 * and be charged, twice.
 *
 * @param options those of the store
 */
export async function redisWarnings(
  client: AnyRedisClient,
  { replicas = 0 }: Pick<RedisStoreOptions, 'replicas'> = {},
): Promise<readonly string[]> {
  const send = sender(client);
  const warnings: string[] = [];
  const setting = async (name: string): Promise<string | undefined> => {
    const reply = await send(['CONFIG', 'GET', name]);
    if (Array.isArray(reply)) return textOf(reply[1]);
    return (reply as Readonly<Record<string, string>>)[name];
  };
  try {
    const policy = await setting('maxmemory-policy');
    if (policy !== 'noeviction' && policy !== undefined)
      warnings.push(
        `maxmemory-policy is ${policy}: records can be thrown away before their time; set it to noeviction`,
      );
    if ((await setting('appendonly')) !== 'yes')
      warnings.push('appendonly is off: records are lost when the engine restarts; set it to yes');
    else {
      const fsync = await setting('appendfsync');
      // Records on a replica survive if the other machine stops.
      const isSafe = fsync === 'always' || fsync === undefined || (fsync === 'everysec' && replicas > 0);
      if (!isSafe)
        warnings.push(
          `appendfsync is ${fsync}: the last seconds are lost when the machine stops; set it to always`,
        );
    }
  } catch (error) {
    warnings.push(
      `the settings could not be read (${error instanceof Error ? error.message : String(error)}): make sure that maxmemory-policy is noeviction, appendonly yes and appendfsync always`,
    );
  }
  const replication = textOf(await send(['INFO', 'replication']).catch(() => ''));
  if (/^role:(?:slave|replica)/m.test(replication))
    warnings.push('this is a replica: connect to the primary');
  const connected = Number(/^connected_slaves:(\d+)/m.exec(replication)?.[1] ?? 0);
  if (connected > replicas)
    warnings.push(
      `the store waits for ${String(replicas)} of ${String(connected)} replicas: a failover can lose the last records; give it their number, and set min-replicas-to-write to it`,
    );
  return warnings;
}

// --- internal ---

function partsOf(response: StoredResponse): (string | number)[] {
  const { status, headers, body } = keepable(response);
  return [status, JSON.stringify(headers), Buffer.from(body).toString('base64')];
}

/** Sends a command to the node of the cluster with that key. */
type Send = (command: string[], key?: string) => Promise<unknown>;

function sender(client: AnyRedisClient): Send {
  if ('call' in client && typeof client.call === 'function')
    return ([command = '', ...parts]) => client.call(command, ...parts);
  if ('slots' in client) return (command, key) => client.sendCommand(key, false, command);
  return (command) => (client as RedisClient).sendCommand(command);
}

/**
 * Pairs each write with a `WAIT` on the same connection. Both are sent at once, so that no other command
 * comes in between.
 */
function acknowledged(send: Send, replicas: number, ms: number): Send {
  return async (command) => {
    const reply = send(command);
    const holders = send(['WAIT', String(replicas), String(ms)]);
    holders.catch(() => undefined);
    const value = await reply;
    const held = Number(await holders);
    if (held < replicas)
      throw new Error(
        `${String(held)} of ${String(replicas)} replicas hold the write after ${String(ms)} ms`,
      );
    return value;
  };
}

async function runScript(
  send: Send,
  { text, sha }: Script,
  keys: readonly string[],
  values: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...values];
  try {
    return await send(['EVALSHA', sha, ...rest], keys[0]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('NOSCRIPT')) throw error;
    return send(['EVAL', text, ...rest], keys[0]);
  }
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString() : String(value as string | number | null | undefined);
}
