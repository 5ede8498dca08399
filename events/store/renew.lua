-- Put a new token in the place of an older one beside a sealed stream, once for each action.
--
-- Nothing can be appended there, and what was typed in can be erased for ever: so it must be possible to get a token.
--
-- KEYS: head actions tokens
-- ARGV: action, request, name of the credential, hash of its token

local HEAD, ACTIONS, TOKENS = unpack(KEYS)
local action, request, name, hash = unpack(ARGV)

for _, key in ipairs(KEYS) do
  local found = redis.call('TYPE', key)['ok']
  if found ~= 'hash' then
    return {'wrongtype', key, found, 'hash'}
  end
end

local known = redis.call('HGET', ACTIONS, action)
if known then
  return {'known', known}
end
local before = redis.call('HGET', TOKENS, 'renewed:' .. action)
if before then
  return {'renewed', before, '1'}
end
if redis.call('HGET', HEAD, 's') ~= '1' then
  return {'open'}
end
redis.call('HSET', TOKENS, name, hash, 'renewed:' .. action, request)
return {'renewed', request, '0'}
