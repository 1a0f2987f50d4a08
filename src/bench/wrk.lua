-- The client of the benchmark: signed pushes of BYTES as the interface shows them, every body different.
--
--   wrk ... --latency -s wrk.lua URL -- SECRET ROUND BYTES
--
-- ROUND (0 to 99999) goes into every body, as do the thread's number and a counter: no two rounds of one run and no
-- two threads of one round ever send the same bytes. At the end one line tells the harness what was answered:
--
--   result acknowledged=N refused=N lost=N micros=N p50=N p99=N
--
-- acknowledged: answered with exactly 200; refused: with any other status; lost: no answer (connect, read, write,
-- timeout); micros: length of the round; p50, p99: microseconds.

local ffi = require("ffi")

ffi.cdef [[
unsigned char *SHA1(const unsigned char *data, size_t length, unsigned char *digest);
int snprintf(char *text, size_t size, const char *format, ...);
]]

local function libcrypto()
  for _, name in ipairs({ "libcrypto.so.3", "libcrypto.so.1.1", "crypto" }) do
    local found, library = pcall(ffi.load, name)
    if found then return library end
  end
  error("found no libcrypto; expected libcrypto.so.3 of the OpenSSL package")
end

local crypto = libcrypto()

local ENTERPRISE = "3f1c5a0de2b94c7788a1d20c6e5b9f40"
-- Where the round, the thread and the counter go, and where the signature goes: digits of fixed width.
local SERIAL = "##################"
local SIGNATURE = string.rep("@", 40)

local CONVERSATION = [["conversation":{"enterprise_id":20417,"dev_client_id":null,"page_from_url":"https://shop.example/orders/8831?from=mail&step=2","search_engine":"","serial":"%s","agent_email":"agent17@shop.example","agent_group":"after sales","channel":"web","started_at":%d,"wait_seconds":14,"message_count":23,"satisfaction":null,"tags":["delivery","refund \u20ac","vip"],"geo":{"country":"DE","city":"K\u00f6ln","ip":"198.51.100.23"},"summary":"%s"}]]
local CLIENT = [["client":{"enterprise_id":20417,"dev_client_id":"c-77120","serial":"%s","name":"J\u00fcrgen Beispiel","email":"j.beispiel@mail.example","phone":"+49 221 5550100","company":"Beispiel & S\u00f6hne","created_on":%d,"language":"de-DE","blocked":false,"score":81.5,"tags":["newsletter","b2b"],"address":{"country":"DE","city":"K\u00f6ln","postcode":"50667"},"notes":"%s"}]]
-- For bodies that the others would not fit into.
local SMALL_CONVERSATION = [["conversation":{"serial":"%s","started_at":%d,"summary":"%s"}]]
local SMALL_CLIENT = [["client":{"serial":"%s","created_on":%d,"notes":"%s"}]]
local SMALL_BYTES = 1024
local ENVELOPE = [[{"id":"sub_%s_%d","event":"%s","enterprise_token":"%s","created_at":%d,%s}]]
local PROSE = "The customer asked where the second parcel is; the agent found it at the depot and arranged a new date. "

local CONVERSATIONS = { "conversation.created", "conversation.scheduled", "conversation.updated", "conversation.closed" }
local CLIENTS = { "client.created", "client.updated", "client.deleted" }

local function body(event, object, now, prose)
  return ENVELOPE:format(ENTERPRISE, now, event, ENTERPRISE, now, object:format(SERIAL, now, prose))
end

-- A whole request as bytes, with the secret behind its end (hashed, never sent), and the places to patch in it.
local function template(event, object, secret, host, bodyBytes)
  local now = os.time()
  local room = bodyBytes - #body(event, object, now, "")
  local filled = body(event, object, now, PROSE:rep(math.ceil(room / #PROSE)):sub(1, room))
  local head = table.concat({
    "POST /webhook HTTP/1.1",
    "Host: " .. host,
    "Content-Type: application/json; charset=utf-8",
    "Content-Length: " .. #filled,
    "Accept-Encoding: gzip",
    "Service-Signature: " .. SIGNATURE,
    "", "" }, "\r\n")
  local text = head .. filled
  local bytes = ffi.new("unsigned char[?]", #text + #secret)
  ffi.copy(bytes, text .. secret, #text + #secret)
  return {
    bytes = bytes,
    length = #text,
    body = bytes + #head,
    hashed = #filled + #secret,
    serial = bytes + text:find(SERIAL, 1, true) - 1,
    signature = bytes + head:find(SIGNATURE, 1, true) - 1,
  }
end

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

local conversations, clients = {}, {}
local counter = 0
local digest = ffi.new("unsigned char[20]")
local HEX = ffi.new("unsigned char[16]", { ("0123456789abcdef"):byte(1, 16) })

acknowledged = 0
refused = 0

function init(args)
  local secret, round, bodyBytes = args[1], tonumber(args[2]), tonumber(args[3])
  assert(secret and round and bodyBytes, "found no secret, round and size; expected: wrk ... -- SECRET ROUND BYTES")
  local conversation = bodyBytes < SMALL_BYTES and SMALL_CONVERSATION or CONVERSATION
  local client = bodyBytes < SMALL_BYTES and SMALL_CLIENT or CLIENT
  local host = wrk.host .. ":" .. wrk.port
  for i, event in ipairs(CONVERSATIONS) do conversations[i - 1] = template(event, conversation, secret, host, bodyBytes) end
  for i, event in ipairs(CLIENTS) do clients[i - 1] = template(event, client, secret, host, bodyBytes) end
  local prefix = ("%05d%03d"):format(round, number)
  for _, kind in ipairs({ conversations, clients }) do
    for i = 0, #kind do ffi.copy(kind[i].serial, prefix, #prefix) end
  end
end

local function sign(t)
  crypto.SHA1(t.body, t.hashed, digest)
  local signature = t.signature
  for i = 0, 19 do
    local byte = digest[i]
    signature[2 * i] = HEX[bit.rshift(byte, 4)]
    signature[2 * i + 1] = HEX[bit.band(byte, 15)]
  end
end

-- Turn and turn about: each of the two consumers gets one half of the pushes.
function request()
  local n = counter
  counter = n + 1
  local half = bit.rshift(n, 1)
  local t = n % 2 == 0 and conversations[half % 4] or clients[half % 3]
  local serial = t.serial
  for i = 17, 8, -1 do
    serial[i] = 48 + n % 10
    n = (n - n % 10) / 10
  end
  sign(t)
  return ffi.string(t.bytes, t.length)
end

function response(status)
  if status == 200 then acknowledged = acknowledged + 1 else refused = refused + 1 end
end

function done(summary, latency)
  local ok, other = 0, 0
  for _, thread in ipairs(threads) do
    ok = ok + thread:get("acknowledged")
    other = other + thread:get("refused")
  end
  local errors = summary.errors
  print(("result acknowledged=%d refused=%d lost=%d micros=%d p50=%d p99=%d"):format(
    ok, other, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
