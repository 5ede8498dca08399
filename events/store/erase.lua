-- Erase texts beside a stream, and note when and by whom: all or nothing.
--
-- Everything is read and checked first. The first write is a deletion, which a store at its memory limit does not
-- refuse, and nothing after it is refused once it is done. The stream is not touched, so a sealed game is as good as
-- another, and each text that is gone already stays as it was first noted: a repeat changes nothing.
--
-- An action keeps a digest of its whole request, without salt: anyone who guesses the text could check the guess. So
-- that digest goes too, and the action is then known by its id alone.
--
-- KEYS: texts erased actions
-- ARGV: note, number of texts, digests..., action ids...

local TEXTS, ERASED, ACTIONS = unpack(KEYS)
local note, texts = ARGV[1], tonumber(ARGV[2])
local FIXED = 2

for _, key in ipairs(KEYS) do
  local found = redis.call('TYPE', key)['ok']
  if found ~= 'none' and found ~= 'hash' then
    return {'wrongtype', key, found, 'hash'}
  end
end

-- a user without one of the rights below would leave half an erasure
if redis.acl_check_cmd then
  for _, command in ipairs({{'HDEL', TEXTS, ''}, {'HSETNX', ERASED, '', ''}, {'HSET', ACTIONS, '', ''}}) do
    if not redis.acl_check_cmd(unpack(command)) then
      return {'denied', command[1], command[2]}
    end
  end
end

local gone = 0
for at = FIXED + 1, FIXED + texts do
  gone = gone + redis.call('HDEL', TEXTS, ARGV[at])
end
for at = FIXED + 1, FIXED + texts do
  redis.call('HSETNX', ERASED, ARGV[at], note)
end
for at = FIXED + texts + 1, #ARGV do
  local known = redis.call('HGET', ACTIONS, ARGV[at])
  local versions = known and string.match(known, '^%d+:%d+:')
  if versions then
    redis.call('HSET', ACTIONS, ARGV[at], versions .. 'erased')
  end
end
return {'erased', gone}
