import { createHash } from 'node:crypto';
import type { Claim, Entry, Store, StoredResponse } from '../generator/server-runtime/store.ts';
import { nameOf, newToken, readToken } from './names.ts';

/** A client of the npm package `redis`, by what is used of it. */
export interface RedisClient {
  sendCommand(command: string[]): Promise<unknown>;
}

/** A client of the npm package `ioredis`, or one that has its shape, by what is used of it. */
export interface IoredisClient {
  call(command: string, ...parts: string[]): Promise<unknown>;
}

export interface RedisStoreOptions {
  /** What the names of all keys begin with. */
  readonly prefix?: string;
}

/**
 * A store on Valkey or Redis (7 and later) for servers of many processes. Each operation is one script, which the engine
 * runs as a whole and by its own clock. What expires, the engine forgets by itself.
 *
 * @param client your own, connected; let it fail at once when the engine is away instead of holding commands back
 */
export function redisStore(client: RedisClient | IoredisClient, options: RedisStoreOptions = {}): Store {
  const prefix = options.prefix ?? 'tallystick:';
  const send = sender(client);
  const run = (
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> => runScript(send, script, keys, values.map(String));
  const keyAt = (name: string): string => `${prefix}key:{${name}}`;
  const settle = async (
    script: Script,
    fence: string,
    values: readonly (string | number)[],
  ): Promise<void> => {
    const { name, unique } = readToken(fence);
    await run(script, [keyAt(name)], [unique, ...values]);
  };
  const ticketsAt = (name: string): string[] => [`${prefix}held:{${name}}`, `${prefix}cents:{${name}}`];

  return {
    async claim(scope, key, bodyHash, leaseMs): Promise<Claim> {
      const token = newToken(nameOf(scope, key));
      const reply = (await run(CLAIM, [keyAt(token.name)], [bodyHash, token.unique, leaseMs])) as unknown[];
      const [state, ...rest] = reply.map(textOf);
      switch (state) {
        case 'new':
          return { state, fence: token.text, collecting: rest[0] === '1' };
        case 'inFlight':
          return { state, retryAfterMs: Number(rest[0]) };
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
        default:
          throw new Error(`the engine answered a claim with ${String(state)}`);
      }
    },
    async renew(fence, leaseMs) {
      const { name, unique } = readToken(fence);
      return Number(await run(RENEW, [keyAt(name)], [unique, leaseMs])) === 1;
    },
    prepare: (fence, response, ttlMs) =>
      settle(
        PREPARE,
        fence,
        response === undefined ? [ttlMs, 'consumed'] : [ttlMs, 'recorded', ...partsOf(response)],
      ),
    record: (fence, response, ttlMs) => settle(RECORD, fence, [ttlMs, ...partsOf(response)]),
    consume: (fence, ttlMs) => settle(KEEP, fence, ['consumed', ttlMs]),
    park: (fence, ttlMs) => settle(KEEP, fence, ['parked', ttlMs]),
    release: (fence) => settle(RELEASE, fence, []),
    async enter(scope, cents, bounds, leaseMs): Promise<Entry> {
      const token = newToken(nameOf(scope, ''));
      const given = [token.unique, leaseMs, cents, bounds.calls ?? '', bounds.cents ?? ''];
      const reply = (await run(ENTER, ticketsAt(token.name), given)) as unknown[];
      const [admitted, calls, held] = reply.map((each) => Number(textOf(each)));
      return admitted === 1
        ? { admitted: true, ticket: token.text }
        : { admitted: false, held: { calls: calls ?? 0, cents: held ?? 0 } };
    },
    async stay(ticket, leaseMs) {
      const { name, unique } = readToken(ticket);
      return Number(await run(STAY, ticketsAt(name), [unique, leaseMs])) === 1;
    },
    async leave(ticket) {
      const { name, unique } = readToken(ticket);
      await run(LEAVE, ticketsAt(name), [unique]);
    },
  };
}

/**
 * What in the settings of the engine could lose records, each with what to do about it. A record that is lost lets a
 * call run, and be charged, twice.
 */
export async function redisWarnings(client: RedisClient | IoredisClient): Promise<readonly string[]> {
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
    else if ((await setting('appendfsync')) === 'no')
      warnings.push(
        'appendfsync is no: the last seconds are lost when the machine stops; set it to everysec or always',
      );
  } catch (error) {
    warnings.push(
      `the settings could not be read (${error instanceof Error ? error.message : String(error)}): see to it that maxmemory-policy is noeviction and appendonly is on`,
    );
  }
  const replication = textOf(await send(['INFO', 'replication']).catch(() => ''));
  if (/^role:(?:slave|replica)/m.test(replication))
    warnings.push('this is a replica: connect to the primary');
  if (/^connected_slaves:[1-9]/m.test(replication))
    warnings.push(
      'replication is asynchronous: a failover can lose the last records; set min-replicas-to-write, and expect a key to run again after one',
    );
  return warnings;
}

// --- internal ---

function partsOf({ status, headers, body }: StoredResponse): (string | number)[] {
  return [status, JSON.stringify(headers), Buffer.from(body).toString('base64')];
}

type Send = (command: string[]) => Promise<unknown>;

function sender(client: RedisClient | IoredisClient): Send {
  if ('call' in client && typeof client.call === 'function')
    return ([command = '', ...parts]) => client.call(command, ...parts);
  return (command) => (client as RedisClient).sendCommand(command);
}

interface Script {
  readonly text: string;
  readonly sha: string;
}

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

async function runScript(
  send: Send,
  { text, sha }: Script,
  keys: readonly string[],
  values: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...values];
  try {
    return await send(['EVALSHA', sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('NOSCRIPT')) throw error;
    return send(['EVAL', text, ...rest]);
  }
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString() : String(value as string | number | null | undefined);
}

const TIME = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * A key is a hash: state, hash of the body, owner, and of a recorded answer its parts. What is prepared has them as well,
 * the state that it is `ready` to be in, and the end of its `lease`, since the hash itself then lives longer.
 */
const CLAIM = script(`${TIME}
local known = redis.call('HMGET', KEYS[1], 'state', 'hash', 'ready', 'lease')
local state = known[1]
if state and known[2] ~= ARGV[1] then return {'mismatch'} end
if state == 'inFlight' then
  if not known[3] then return {'inFlight', tostring(redis.call('PTTL', KEYS[1]))} end
  local left = tonumber(known[4]) - now
  if left > 0 then return {'inFlight', tostring(left)} end
  state = known[3]
  redis.call('HDEL', KEYS[1], 'owner', 'ready', 'lease')
  redis.call('HSET', KEYS[1], 'state', state)
end
if state == 'consumed' then return {'consumed'} end
if state == 'recorded' then
  local kept = redis.call('HMGET', KEYS[1], 'status', 'headers', 'body')
  return {'recorded', kept[1], kept[2], kept[3]}
end
redis.call('HSET', KEYS[1], 'state', 'inFlight', 'hash', ARGV[1], 'owner', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if state == 'parked' then return {'new', '1'} end
return {'new', '0'}`);

const OWNED = `${TIME}
local known = redis.call('HMGET', KEYS[1], 'state', 'owner', 'lease')
if known[1] ~= 'inFlight' or known[2] ~= ARGV[1] then return 0 end
if known[3] and tonumber(known[3]) <= now then return 0 end`;

const RENEW = script(`${OWNED}
if known[3] then redis.call('HSET', KEYS[1], 'lease', now + tonumber(ARGV[2])) end
if not known[3] or redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`);

const PREPARE = script(`${OWNED}
local left = redis.call('PTTL', KEYS[1])
redis.call('HSET', KEYS[1], 'ready', ARGV[3], 'lease', known[3] or now + left)
if ARGV[3] == 'recorded' then redis.call('HSET', KEYS[1], 'status', ARGV[4], 'headers', ARGV[5], 'body', ARGV[6]) end
if left < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`);

const RECORD = script(`${OWNED}
redis.call('HDEL', KEYS[1], 'owner', 'ready', 'lease')
redis.call('HSET', KEYS[1], 'state', 'recorded', 'status', ARGV[3], 'headers', ARGV[4], 'body', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`);

const KEEP = script(`${OWNED}
redis.call('HDEL', KEYS[1], 'owner', 'ready', 'lease', 'status', 'headers', 'body')
redis.call('HSET', KEYS[1], 'state', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`);

const RELEASE = script(`${OWNED}
redis.call('DEL', KEYS[1])
return 1`);

/** Tickets of a scope by the time at which they end, and what each holds. */
const NOW = `${TIME}
local function keep(ms)
  for _, key in ipairs(KEYS) do
    if redis.call('PTTL', key) < tonumber(ms) then redis.call('PEXPIRE', key, ms) end
  end
end`;

const ENTER = script(`${NOW}
for _, ticket in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], ticket)
  redis.call('HDEL', KEYS[2], ticket)
end
local calls = redis.call('ZCARD', KEYS[1])
local cents = 0
for _, each in ipairs(redis.call('HVALS', KEYS[2])) do cents = cents + tonumber(each) end
local overCalls = ARGV[4] ~= '' and calls >= tonumber(ARGV[4])
local overCents = ARGV[5] ~= '' and cents + tonumber(ARGV[3]) > tonumber(ARGV[5])
if overCalls or overCents then return {'0', tostring(calls), tostring(cents)} end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
keep(ARGV[2])
return {'1'}`);

const STAY = script(`${NOW}
local until_ = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not until_ or tonumber(until_) <= now then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
keep(ARGV[2])
return 1`);

const LEAVE = script(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1`);
