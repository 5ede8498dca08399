-- Append the entries of one action, and what belongs beside them: all or nothing.
--
-- A script is not rolled back when it fails. So everything is read and checked first, and then come only writes that
-- cannot fail. The first of them is an XADD to the stream: a full store, a replica or a disk error refuses that one,
-- and nothing after it is refused once it is done. There is no `#!lua` line on purpose: its flags would refuse the
-- whole script under memory pressure, and with it the answer to an action that is already stored.
--
-- KEYS: stream head actions texts tokens secret due games about feed frozen
-- ARGV: as named below, then (data, link)..., (digest, text)..., (name, token)...
-- Bytes are passed through; versions are decimal strings.

local STREAM, HEAD, ACTIONS, TEXTS, TOKENS, SECRET, DUE, GAMES, ABOUT, FEED, FROZEN = unpack(KEYS)
local game, action, request, expected, previous = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local limit, channel, feed_length, seal = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local created, due, about, secret = ARGV[10], ARGV[11], ARGV[12], ARGV[13] -- "" is none
local entries, texts, tokens = tonumber(ARGV[14]), tonumber(ARGV[15]), tonumber(ARGV[16])
local FIXED = 16

local TYPES = {'stream', 'hash', 'hash', 'hash', 'hash', 'string', 'zset', 'zset', 'hash', 'stream', 'hash'}
for place, wanted in ipairs(TYPES) do
  local found = redis.call('TYPE', KEYS[place])['ok']
  if found ~= 'none' and found ~= wanted then
    return {'wrongtype', KEYS[place], found, wanted}
  end
end

-- (1) a known action keeps its answer, whatever became of the game
local known = redis.call('HGET', ACTIONS, action)
if known then
  return {'known', known}
end

-- (2) frozen: the history was found not to be what was acknowledged
local why = redis.call('HGET', FROZEN, game)
if why then
  return {'frozen', why}
end

-- (3) sealed
local head = redis.call('HMGET', HEAD, 'v', 'h', 's')
local version, link, sealed = head[1] or '0', head[2] or '', head[3] or '0'
if sealed == '1' then
  return {'sealed', version, link}
end

local top = redis.call('XREVRANGE', STREAM, '+', '-', 'COUNT', 1)
local top_id = top[1] and top[1][1] or '0-0'
local length = redis.call('XLEN', STREAM)
local damaged = top_id ~= version .. '-0' or length ~= tonumber(version)
if version == '0' then -- lost with its head record: a game that ever was has left something
  damaged = damaged or redis.call('EXISTS', ACTIONS, TOKENS, SECRET) > 0 or redis.call('ZSCORE', GAMES, game)
end

-- (4) expected version; on a damaged stream there is nothing right to decide again on
if version ~= expected then
  if damaged then
    return {'damaged', version, top_id, length}
  end
  return {'conflict', version, link, redis.call('XRANGE', STREAM, '(' .. expected .. '-0', '+', 'COUNT', limit)}
end

-- (5) previous link
if version ~= '0' and link ~= previous then
  return {'forked', version, link}
end

local base = tonumber(version)
if base + entries > 9007199254740991 then
  return {'limit', version}
end

-- (6) the stream is what its head record says
if damaged then
  return {'damaged', version, top_id, length}
end

-- a user without one of the rights below would leave half an append
if redis.acl_check_cmd then
  local wanted = {
    {'XADD', STREAM, '*', 'e', ''}, {'HSET', HEAD, 'v', ''}, {'SET', SECRET, ''}, {'ZADD', DUE, '0', game},
    {'ZREM', DUE, game}, {'XADD', FEED, '*', 'g', ''}, {'PUBLISH', channel, ''},
  }
  for _, command in ipairs(wanted) do
    if not redis.acl_check_cmd(unpack(command)) then
      return {'denied', command[1], command[2]}
    end
  end
end

local at = FIXED
for number = 1, entries do
  redis.call('XADD', STREAM, string.format('%.0f-0', base + number), 'e', ARGV[at + 1], 'h', ARGV[at + 2])
  at = at + 2
end
local first, last = string.format('%.0f', base + 1), string.format('%.0f', base + entries)
redis.call('HSET', HEAD, 'v', last, 'h', ARGV[at], 's', seal)
redis.call('HSET', ACTIONS, action, first .. ':' .. last .. ':' .. request)
for _ = 1, texts do
  redis.call('HSET', TEXTS, ARGV[at + 1], ARGV[at + 2])
  at = at + 2
end
for _ = 1, tokens do
  redis.call('HSET', TOKENS, ARGV[at + 1], ARGV[at + 2])
  at = at + 2
end
if version == '0' then
  redis.call('ZADD', GAMES, created, game)
  if secret ~= '' then
    redis.call('SET', SECRET, secret) -- there is none: (6) refuses a new game beside an old secret
  end
end
if due ~= '' then
  redis.call('ZADD', DUE, due, game)
else
  redis.call('ZREM', DUE, game)
end
if about ~= '' then
  redis.call('HSET', ABOUT, game, about)
end
redis.call('XADD', FEED, 'MAXLEN', '~', feed_length, '*', 'g', game, 'v', last)
redis.call('PUBLISH', channel, game .. ' ' .. last)
return {'appended', first, last}
