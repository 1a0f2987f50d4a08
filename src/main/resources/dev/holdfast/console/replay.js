import { get, post } from './api.js';
import { ask } from './dialog.js';
import { count, time } from './formats.js';

/** A form's values as the API has them. */
function request(choice, { consumer, rate }) {
  const all = Object.keys(choice).length === 0 && !consumer;
  return { ...choice, ...(consumer && { consumer }), ...(all && { all }), rate: Number(rate) };
}

/** Asks to whom pushes shall be delivered again, counts them, and does it. */
export async function askReplay(choice, title) {
  const page = location.hash;
  const consumers = (await get('/consumers')).consumers.filter(consumer => consumer.events.length);
  // Who has gone on, or pressed twice, is not asked.
  if (location.hash !== page || document.querySelector('dialog')) {
    return;
  }
  const replay = await ask({
    title,
    action: 'Replay',
    explanation: 'Consumers get them as replays, beside what comes in.',
    fields: [
      { name: 'consumer', label: 'To', value: '', options: [['', 'Every consumer that wants them'], ...consumers.map(consumer => [consumer.name, consumer.name])] },
      { name: 'rate', label: 'Pushes a second, to each', type: 'number', value: '500', required: true },
    ],
    count: async values => {
      const { pushes, deliveries, more, searched } = await post('/replays', { ...request(choice, values), dryRun: true });
      const counted = `${count(pushes, 'push', 'pushes')}, ${count(deliveries, 'delivery', 'deliveries')}`;
      return more ? `At least ${counted}: counted back to push ${searched.seq}, received ${time(searched.receivedAt)}.` : `${counted}.`;
    },
    act: values => post('/replays', request(choice, values)),
    words: () => 'The replay has begun.',
  });
  if (replay) {
    location.hash = '#/replays';
  }
}
