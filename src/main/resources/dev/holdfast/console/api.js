// The management API (see openapi.yaml, beside it): requests with the token, errors, pages, and the tap.

const TOKEN = 'holdfast-token';
/** Longer than an answer takes. A gateway that hangs, or to which the way is cut, may not even end a connection. */
const GET_MILLIS = 30_000;
const POST_MILLIS = 120_000;
/** Longer than the tap is without a sign of life. */
const SILENCE_MILLIS = 45_000;

/** An answer that is not what was asked for: an RFC 9457 problem, or status 0 where nothing answered. */
export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
  }
}

/** Emits `denied` when a token is needed that isn't there, or is wrong. */
export const session = new EventTarget();

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: value => sessionStorage.setItem(TOKEN, value),
  clear: () => sessionStorage.removeItem(TOKEN),
};

/** Without those parameters that are not set. */
export function query(parameters = {}) {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return new URLSearchParams(set).toString();
}

/** What `asked` brings; a Problem where nothing answers. */
async function answered(asked) {
  try {
    return await asked;
  } catch (failure) {
    if (failure.name === 'AbortError' || failure instanceof SyntaxError) {
      throw failure;
    }
    throw new Problem(0, 'The gateway does not answer.', 'The gateway does not answer. Is it running, and is the way to its management port open?');
  }
}

async function request(path, options = {}) {
  const headers = { ...options.headers };
  const sent = token.get();
  if (sent) {
    headers.Authorization = 'Bearer ' + sent;
  }
  const response = await answered(fetch('api/v1' + path, { ...options, headers, cache: 'no-store' }));
  if (response.ok) {
    return response;
  }
  const problem = await response.json().catch(() => ({}));
  // What was asked before somebody logged in tells nothing of the token that is there now.
  if (response.status === 401 && sent === token.get()) {
    session.dispatchEvent(new Event('denied'));
  }
  throw new Problem(response.status, problem.title ?? `The answer was ${response.status} ${response.statusText}`, problem.detail);
}

export async function get(path, parameters, signal) {
  const text = query(parameters);
  const limit = AbortSignal.timeout(GET_MILLIS);
  const response = await request(path + (text && '?' + text), { signal: signal ? AbortSignal.any([signal, limit]) : limit });
  return answered(response.json());
}

export async function post(path, body = {}) {
  const response = await request(path, {
    method: 'POST',
    signal: AbortSignal.timeout(POST_MILLIS),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answered(response.json());
}

/**
 * Pushes as they are accepted, until `signal` ends it or nothing more is heard of the gateway: objects of `event` (open: from now on, push,
 * dropped) and `data`. Read by fetch, as an EventSource can't send a token.
 */
export async function* tap(parameters, signal) {
  const silence = new AbortController();
  let timer = 0;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MILLIS);
  };
  try {
    alive();
    yield* messages(await request('/tap?' + query(parameters), {
      signal: AbortSignal.any([signal, silence.signal]), headers: { Accept: 'text/event-stream' },
    }), alive);
  } finally {
    clearTimeout(timer);
  }
}

/** @param alive called with each sign of life */
async function* messages(response, alive) {
  yield { event: 'open' };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    alive();
    const whole = (rest + value).split('\n\n');
    rest = whole.pop();
    for (const message of whole) {
      // What is none of these is a sign of life.
      const [, event, data] = message.match(/^event: (\w+)\n(?:id: \d+\n)?data: (.+)$/s) ?? [];
      if (event) {
        yield { event, data: JSON.parse(data) };
      }
    }
  }
}
