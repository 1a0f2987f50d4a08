// What can be done with dead letters: the same on every page.
import { get, post } from './api.js';
import { ask, said } from './dialog.js';
import { count } from './formats.js';

const REASON = { name: 'reason', label: 'Reason', required: true, hint: 'It is kept, and shown in the audit.' };

/** Which ones, as the API wants it: `all` where nothing chooses. */
const choice = ({ consumer, event, seq, from, to }) => {
  const chosen = Object.fromEntries(Object.entries({ consumer, event, seq, from, to }).filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, ['seq', 'from', 'to'].includes(name) ? Number(value) : value]));
  return Object.keys(chosen).length ? chosen : { all: true };
};
const one = ({ consumer, seq }) => ({ consumer, seq });

export async function askRetry(letter) {
  return retry(one(letter), `Retry push ${letter.seq} at ${letter.consumer}`);
}

export async function retry(filter, title = 'Retry these dead letters') {
  const body = choice(filter);
  const staying = list => list.map(left => ` ${count(left.count, 'stays', 'stay')} at ${left.consumer}: ${left.because}.`).join('');
  const result = await ask({
    title,
    action: 'Retry',
    explanation: 'Their pushes are delivered again. A letter stays listed until its push is handled.',
    count: async () => {
      const counted = await post('/dead-letters/retry', { ...body, dryRun: true });
      return `${count(counted.retrying, 'dead letter')}.${staying(counted.staying)}`;
    },
    act: () => post('/dead-letters/retry', body),
  });
  if (result) {
    said(`${count(result.retrying, 'dead letter is', 'dead letters are')} on the way.${staying(result.staying)}`);
  }
  return result;
}

export async function askDiscard(letter) {
  return discard(one(letter), `Discard the dead letter of push ${letter.seq} at ${letter.consumer}`);
}

export async function discard(filter, title = 'Discard these dead letters') {
  let body = choice(filter);
  const result = await ask({
    title,
    action: 'Discard',
    danger: true,
    explanation: 'The consumer will not get their pushes again. This can’t be undone.',
    fields: [REASON],
    count: async () => {
      if (body.seq === undefined) {
        // Not those of pushes that come in while somebody reads how many there are.
        const { journal } = await get('/gateway');
        body = { ...body, to: Math.min(body.to ?? Infinity, journal.lastSeq) };
      }
      return `${count((await post('/dead-letters/discard', { ...body, reason: 'only counted', dryRun: true })).discarded, 'dead letter')}.`;
    },
    act: ({ reason }) => post('/dead-letters/discard', { ...body, reason }),
  });
  if (result) {
    said(`${count(result.discarded, 'dead letter is', 'dead letters are')} discarded.`);
  }
  return result;
}
