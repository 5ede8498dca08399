-- Note that a kind of process is there, and the time in which it was not.
--
-- The newest heartbeat and the outage before it are written together: of several processes that come back at once
-- only the first sees the gap, and none can end between seeing it and noting it.
--
-- KEYS: heartbeats outages
-- ARGV: kind, now (ms), least gap that counts (ms; 0 notes none), most outages kept, end of the last one known (ms)

local before = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '')
local now, least = tonumber(ARGV[2]), tonumber(ARGV[3])
if not before or now > before then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  if before and least > 0 and now - before >= least then
    redis.call('ZADD', KEYS[2], ARGV[2], string.format('%.0f:%s', before, ARGV[2]))
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[4]))
  end
end
return redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[5], '+inf')
