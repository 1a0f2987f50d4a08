// What is chosen of a list by its filters, and giving that up: the same for dead letters and refused requests.
import { post } from './api.js';
import { ask } from './dialog.js';
import { count } from './formats.js';

/** As the API wants it: `all` where nothing chooses. Positions stay the text that the list was asked for with, which is exact. */
export const choice = filter => (Object.keys(filter).length ? filter : { all: true });

/**
 * Asks for a reason, and discards them.
 *
 * @param path of the list, `what` one of it, in words
 * @param bound brings what keeps out those that come in while somebody reads how many there are; null: one is chosen by name
 */
export function discardChosen({ path, filter, title, what, explanation, bound }) {
  let body = choice(filter);
  const discard = fields => post(`${path}/discard`, { ...body, ...fields });
  /** Goes on where one answer ended, until all are. */
  const discardAll = async fields => {
    const sum = { discarded: 0 };
    let part;
    do {
      part = await discard(fields);
      sum.discarded += part.discarded;
    } while (part.more);
    return sum;
  };
  return ask({
    title,
    action: 'Discard',
    danger: true,
    explanation: `${explanation} This can’t be undone.`,
    fields: [{ name: 'reason', label: 'Reason', required: true, hint: 'It is kept, and shown in the audit.' }],
    count: async () => {
      body = { ...body, ...await bound?.() };
      return `${count((await discard({ reason: 'only counted', dryRun: true })).discarded, what)}.`;
    },
    act: discardAll,
    words: ({ discarded }) => `${count(discarded, `${what} is`, `${what}s are`)} discarded.`,
  });
}
