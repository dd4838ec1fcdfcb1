import { createHash } from 'node:crypto';
import { GIVEN_BACK_MS } from './give-back.ts';

/** The scripts of the engine. Each operation of the store is one script, which runs atomically. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

function script(text: string, flags = ''): Script {
  const whole = flags + text.trimStart();
  return { text: whole, sha: createHash('sha1').update(whole).digest('hex') };
}

/** Lets the script run on a full engine: it refuses claims, but must accept the ends of running calls. */
const ALLOW_OOM = '#!lua flags=allow-oom\n';

const TIME = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * A key is a hash: state, hash of the body, the `owner` that set the state, and the parts of a recorded
 * answer. A prepared answer and a claim on a parked key also have the state that they are `ready` for when their owner does
 * not come back, and the end of its `lease`, because the hash itself then lives longer. The second key exists if the claim was
 * released.
 */
export const CLAIM = script(`${TIME}
local known = redis.call('HMGET', KEYS[1], 'state', 'hash', 'ready', 'lease', 'owner', 'collecting')
local state = known[1]
if redis.call('EXISTS', KEYS[2]) == 1 then return {'givenBack'} end
if state and known[2] ~= ARGV[1] then return {'mismatch'} end
if state == 'inFlight' then
  -- A client that sends a command again when it heard no answer has its claim already.
  if known[5] == ARGV[2] then return {'new', known[6] or '0'} end
  if not known[3] then return {'inFlight', tostring(redis.call('PTTL', KEYS[1]))} end
  local left = tonumber(known[4]) - now
  if left > 0 and known[3] == 'parked' then return {'inFlight', tostring(left)} end
  if left > 0 then return {'inFlight', tostring(left), '1'} end
  state = known[3]
  redis.call('HDEL', KEYS[1], 'ready', 'lease', 'collecting')
  redis.call('HSET', KEYS[1], 'state', state)
end
if state == 'consumed' then return {'consumed'} end
if state == 'recorded' then
  local kept = redis.call('HMGET', KEYS[1], 'status', 'headers', 'body')
  return {'recorded', kept[1], kept[2], kept[3]}
end
redis.call('HSET', KEYS[1], 'state', 'inFlight', 'hash', ARGV[1], 'owner', ARGV[2])
if state ~= 'parked' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {'new', '0'}
end
redis.call('HSET', KEYS[1], 'collecting', '1', 'ready', 'parked', 'lease', now + tonumber(ARGV[3]))
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return {'new', '1'}`);

/** The state of a key if this owner set it; `false` if another owner did. */
const STATE = `${TIME}
local known = redis.call('HMGET', KEYS[1], 'state', 'owner', 'ready', 'lease')
local state = known[2] == ARGV[1] and known[1]
if state == 'inFlight' and known[3] and tonumber(known[4]) <= now then state = known[3] end`;

const OWNED = `${STATE}
if state ~= 'inFlight' then return 0 end`;

export const RENEW = script(
  `${OWNED}
if known[4] then redis.call('HSET', KEYS[1], 'lease', now + tonumber(ARGV[2])) end
if not known[4] or redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`,
  ALLOW_OOM,
);

export const PREPARE = script(
  `${OWNED}
local left = redis.call('PTTL', KEYS[1])
local lease = known[4] or now + left
if ARGV[4] ~= '' then lease = now + tonumber(ARGV[4]) end
redis.call('HSET', KEYS[1], 'ready', ARGV[3], 'lease', lease)
if ARGV[3] == 'recorded' then redis.call('HSET', KEYS[1], 'status', ARGV[5], 'headers', ARGV[6], 'body', ARGV[7]) end
if left < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`,
  ALLOW_OOM,
);

export const RECORD = script(
  `${STATE}
if state == 'recorded' then return 1 end
if state ~= 'inFlight' then return 0 end
redis.call('HDEL', KEYS[1], 'ready', 'lease', 'collecting')
redis.call('HSET', KEYS[1], 'state', 'recorded', 'status', ARGV[3], 'headers', ARGV[4], 'body', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
  ALLOW_OOM,
);

export const KEEP = script(
  `${STATE}
if state == ARGV[2] then return 1 end
if state ~= 'inFlight' then return 0 end
redis.call('HDEL', KEYS[1], 'ready', 'lease', 'collecting', 'status', 'headers', 'body')
redis.call('HSET', KEYS[1], 'state', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`,
  ALLOW_OOM,
);

/** A repeated command gets the result of the first one. What its owner never heard of leaves a parked key parked. */
export const RELEASE = script(
  `${STATE}
local said = redis.call('GET', KEYS[2])
if said then return tonumber(said) end
local freed = 0
if state == 'inFlight' and ARGV[2] == 'unheard' and known[3] == 'parked' then
  redis.call('HSET', KEYS[1], 'lease', '0')
  freed = 1
elseif state == 'inFlight' then freed = redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[2], freed, 'PX', ${String(GIVEN_BACK_MS)})
return freed`,
  ALLOW_OOM,
);

/** Tickets of a scope by their expiry, and the capacity of each. */
const NOW = `${TIME}
local function keep(ms)
  for each = 1, 2 do
    if redis.call('PTTL', KEYS[each]) < tonumber(ms) then redis.call('PEXPIRE', KEYS[each], ms) end
  end
end`;

/** The third key exists if the ticket was returned. */
export const ENTER = script(`${NOW}
if redis.call('EXISTS', KEYS[3]) == 1 then return {'givenBack'} end
for _, ticket in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], ticket)
  redis.call('HDEL', KEYS[2], ticket)
end
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return {'1'} end
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

export const STAY = script(
  `${NOW}
local until_ = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not until_ or tonumber(until_) <= now then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
keep(ARGV[2])
return 1`,
  ALLOW_OOM,
);

export const LEAVE = script(
  `redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then
  redis.call('SET', KEYS[3], '', 'PX', ${String(GIVEN_BACK_MS)})
end
return 1`,
  ALLOW_OOM,
);
