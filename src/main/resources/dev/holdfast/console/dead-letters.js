// What can be done with dead letters: the same on every page.
import { get, post } from './api.js';
import { discardChosen, choice } from './choice.js';
import { ask } from './dialog.js';
import { count } from './formats.js';

const one = ({ consumer, seq }) => ({ consumer, seq });

export const askRetry = letter => retry(one(letter), `Retry push ${letter.seq} at ${letter.consumer}`);

export function retry(filter, title = 'Retry these dead letters') {
  const body = choice(filter);
  const staying = list => list.map(left => ` ${count(left.count, 'stays', 'stay')} at ${left.consumer}: ${left.because}.`).join('');
  return ask({
    title,
    action: 'Retry',
    explanation: 'Their pushes are delivered again. A letter stays listed until its push is handled.',
    count: async () => {
      const counted = await post('/dead-letters/retry', { ...body, dryRun: true });
      return `${count(counted.retrying, 'dead letter')}.${staying(counted.staying)}`;
    },
    act: () => post('/dead-letters/retry', body),
    words: result => `${count(result.retrying, 'dead letter is', 'dead letters are')} on the way.${staying(result.staying)}`,
  });
}

export const askDiscard = letter => discard(one(letter), `Discard the dead letter of push ${letter.seq} at ${letter.consumer}`);

export const discard = (filter, title = 'Discard these dead letters') => discardChosen({
  path: '/dead-letters',
  filter,
  title,
  what: 'dead letter',
  explanation: 'The consumer will not get their pushes again.',
  bound: filter.seq === undefined ? async () => ({ failedBefore: (await get('/overview')).at }) : null,
});
