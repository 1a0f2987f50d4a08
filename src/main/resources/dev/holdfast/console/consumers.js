import { html, nothing } from './lib.js';
import { post } from './api.js';
import { ask, said } from './dialog.js';

/** Pauses a consumer, after asking; resumes it at once. */
export function pauseButton(consumer, done) {
  const path = `/consumers/${encodeURIComponent(consumer.name)}`;
  const resume = async () => {
    await post(path + '/resume');
    said(`${consumer.name} goes on.`);
    done();
  };
  const pause = async () => {
    const paused = await ask({
      title: `Pause ${consumer.name}`,
      action: 'Pause',
      explanation: 'It gets no more pushes until it is resumed, also over a restart. They are kept for it meanwhile.',
      act: () => post(path + '/pause'),
      words: () => `${consumer.name} is paused.`,
    });
    if (paused) {
      done();
    }
  };
  if (consumer.state === 'stopped') {
    return nothing;
  }
  // One button, so that it keeps the focus.
  const [name, tone, act] = consumer.state === 'paused' ? ['Resume', 'primary', resume] : ['Pause', '', pause];
  return html`<button class="button small ${tone}" aria-label="${name} ${consumer.name}" @click=${act}>${name}</button>`;
}
