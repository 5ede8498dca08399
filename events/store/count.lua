-- Add to a bucket's statistics, and note how far they are: all or nothing.
--
-- What was counted was worked out from what stood here before. If that has changed since, another process was faster, and
-- nothing is written: the same append is never counted twice. A rebuild has looked at everything and asks for no such
-- thing; it takes the place of all that is here.
--
-- The first write is an HSET: a full store, a replica or a disk error refuses that one, and nothing after it is refused
-- once it is done.
--
-- KEYS: mark counted figures days
-- ARGV: number of the change that it follows ("" replaces all), edition, position in the feed, games, figures, days,
-- (game, version)..., (figure, how often)..., (day, how often)...

local MARK, COUNTED, FIGURES, DAYS = unpack(KEYS)
local follows, edition, position = ARGV[1], ARGV[2], ARGV[3]
local games, figures, days = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local FIXED = 6

for _, key in ipairs(KEYS) do
  local found = redis.call('TYPE', key)['ok']
  if found ~= 'none' and found ~= 'hash' then
    return {'wrongtype', key, found, 'hash'}
  end
end

local number = redis.call('HGET', MARK, 'n') or '0'
if follows ~= '' and follows ~= number then
  return {'overtaken', number}
end

-- a user without one of the rights below would leave half a count
if redis.acl_check_cmd then
  local wanted = {{'HSET', MARK, 'n', ''}, {'DEL', COUNTED}, {'HSET', COUNTED, '', ''}, {'HINCRBY', FIGURES, '', '1'}}
  for _, command in ipairs(wanted) do
    if not redis.acl_check_cmd(unpack(command)) then
      return {'denied', command[1], command[2]}
    end
  end
end

redis.call('HSET', MARK, 'n', string.format('%.0f', tonumber(number) + 1), 'e', edition, 'p', position)
if follows == '' then
  redis.call('DEL', COUNTED, FIGURES, DAYS)
end
local at = FIXED
local function write(command, key, pairs_there)
  for _ = 1, pairs_there do
    redis.call(command, key, ARGV[at + 1], ARGV[at + 2])
    at = at + 2
  end
end
write('HSET', COUNTED, games)
write('HINCRBY', FIGURES, figures)
write('HINCRBY', DAYS, days)
return {'counted'}
