// What can be done with refused requests: the same on every page.
import { get, post } from './api.js';
import { discardChosen, choice } from './choice.js';
import { ask } from './dialog.js';
import { count, number } from './formats.js';

function outcome({ pushes, duplicates, wrong, unknownEndpoint, failed }, verb) {
  const parts = [
    [pushes, `${count(pushes, 'push', 'pushes')} ${verb} delivered`],
    [duplicates, `${count(duplicates, 'duplicate')}, in the journal already`],
    [wrong, `${count(wrong, 'request matches', 'requests match')} no secret of now`],
    [unknownEndpoint, `${count(unknownEndpoint, 'request', 'requests')} for an endpoint that is not configured`],
    [failed, `${number(failed)} could not be stored`],
  ].filter(([amount]) => amount > 0).map(([, words]) => words);
  return parts.length ? parts.join('; ') + '.' : 'Nothing to check.';
}

/** Goes on where one answer ended, until all are checked. */
async function verifyAll(body, dryRun) {
  const sum = { pushes: 0, duplicates: 0, wrong: 0, unknownEndpoint: 0, failed: 0 };
  let next = body.from;
  do {
    const { next: following, ...counts } = await post('/quarantine/verify', { ...body, ...(next !== undefined && { from: next }), dryRun });
    Object.keys(sum).forEach(name => { sum[name] += counts[name]; });
    next = following;
  } while (next !== undefined);
  return sum;
}

export function verify(filter, title = 'Verify these requests again') {
  const body = choice(filter);
  return ask({
    title,
    action: 'Verify',
    explanation: 'They are checked with the secrets of now. Those that match become pushes, marked late; the others stay.',
    count: async () => outcome(await verifyAll(body, true), 'would be'),
    act: () => verifyAll(body, false),
    words: result => outcome(result, 'will be'),
  });
}

export const discard = (filter, title = 'Discard these requests') => discardChosen({
  path: '/quarantine',
  filter,
  title,
  what: 'request',
  explanation: 'Their bytes are gone then.',
  bound: filter.id === undefined ? async () => ({ to: (await get('/quarantine', { limit: 1 })).requests[0]?.id ?? 0 }) : null,
});
