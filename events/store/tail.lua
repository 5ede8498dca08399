-- Read, at one moment: what an action id was given, the head record, and the entries after a version; of a sealed
-- stream the tokens too, since no entry says that one of them is another now.
--
-- KEYS: stream head actions tokens
-- ARGV: action id ("" is none), version, most entries

local known = ARGV[1] ~= '' and redis.call('HGET', KEYS[3], ARGV[1])
local head = redis.call('HMGET', KEYS[2], 'v', 'h', 's')
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
return {
  known,
  head,
  top[1] and top[1][1] or '0-0',
  redis.call('XLEN', KEYS[1]),
  redis.call('EXISTS', KEYS[3]),
  head[3] == '1' and redis.call('HGETALL', KEYS[4]),
  redis.call('XRANGE', KEYS[1], '(' .. ARGV[2] .. '-0', '+', 'COUNT', ARGV[3]),
}
