// The management API (see openapi.yaml, beside it): requests with the token, errors, pages, and the tap.

const TOKEN = 'holdfast-token';

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

async function request(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) {
    headers.Authorization = 'Bearer ' + token.get();
  }
  let response;
  try {
    response = await fetch('api/v1' + path, { ...options, headers, cache: 'no-store' });
  } catch (failure) {
    if (failure.name === 'AbortError') {
      throw failure;
    }
    throw new Problem(0, 'The gateway does not answer.', 'The gateway does not answer. Is it running, and is the way to its management port open?');
  }
  if (response.ok) {
    return response;
  }
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) {
    session.dispatchEvent(new Event('denied'));
  }
  throw new Problem(response.status, problem.title ?? response.statusText, problem.detail);
}

export async function get(path, parameters, signal) {
  const text = query(parameters);
  return (await request(path + (text && '?' + text), { signal })).json();
}

export async function post(path, body = {}) {
  const response = await request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/**
 * Pushes as they are accepted, until `signal` ends it: objects of `event` (open: from now on, push, dropped) and `data`. Read by fetch, as an
 * EventSource can't send a token.
 */
export async function* tap(parameters, signal) {
  const response = await request('/tap?' + query(parameters), { signal, headers: { Accept: 'text/event-stream' } });
  yield { event: 'open' };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const messages = (rest + value).split(/\r?\n\r?\n/);
    rest = messages.pop();
    for (const message of messages) {
      const fields = message.split(/\r?\n/);
      const data = fields.filter(line => line.startsWith('data:')).map(line => line.slice(5));
      const event = fields.find(line => line.startsWith('event:'));
      if (data.length > 0) {
        yield { event: event ? event.slice(6).trim() : 'message', data: JSON.parse(data.join('\n')) };
      }
    }
  }
}
