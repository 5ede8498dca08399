-- Write the moment that a game waits for into the due index, unless an append has been faster.
--
-- KEYS: head due
-- ARGV: game, version that the moment follows from, the moment ("" is none)

if redis.call('HGET', KEYS[1], 'v') ~= ARGV[2] then
  return 'overtaken'
end
local found = redis.call('ZSCORE', KEYS[2], ARGV[1])
if (not found and ARGV[3] == '') or (found and ARGV[3] ~= '' and tonumber(found) == tonumber(ARGV[3])) then
  return 'right'
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
return 'corrected'
