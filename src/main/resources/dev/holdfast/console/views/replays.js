import { html, nothing } from '../lib.js';
import { get, post } from '../api.js';
import { ask } from '../dialog.js';
import { number } from '../formats.js';
import { View } from '../view.js';
import { badge, empty, pageHead, pending, table, text, when } from '../widgets.js';

const EVERY_MILLIS = 1000;
const GOING_ON = ['running', 'waiting'];

/** How far the slowest of its consumers is. */
function progress({ from, to, consumers }) {
  const shares = consumers.map(consumer => (consumer.done || to < from ? 1 : Math.min(1, Math.max(0, (consumer.next - from) / (to - from + 1)))));
  return shares.length ? Math.min(...shares) : 1;
}

function chosen(replay) {
  return html`${replay.of === 'dead-letters' ? 'Dead letters' : 'Pushes'} ${number(replay.from)} to ${number(replay.to)}
    <span class="under">${['event', 'pushId', 'enterprise', 'endpoint'].filter(name => replay[name]).map(name => html`<code>${text(replay[name], 60)}</code> `)}
    ${replay.since ? html`since ${when(replay.since)} ` : nothing}${replay.until ? html`until ${when(replay.until)}` : nothing}</span>`;
}

class Replays extends View {
  replays = null;

  columns = [
    { name: 'Replay', of: replay => html`<code>${text(replay.id, 40)}</code>` },
    { name: 'State', of: replay => html`${replay.state === 'done' && replay.failed ? badge('done', 'warning') : badge(replay.state)}${replay.awaited?.length ? html`<span class="under">for ${text(replay.awaited.join(', '))}</span>` : nothing}` },
    { name: 'Of', kind: 'wide', of: chosen },
    { name: 'Progress', of: replay => html`<progress max="1" .value=${replay.state === 'done' ? 1 : progress(replay)} aria-label="Progress of replay ${replay.id}"></progress>
      <span class="under">${replay.consumers.map(consumer => consumer.name).join(', ')}</span>` },
    { name: 'Delivered', kind: 'number', of: replay => number(replay.delivered) },
    { name: 'Failed', kind: 'number', of: replay => (replay.failed ? html`<a href="#/dead-letters">${number(replay.failed)}</a>` : '0') },
    { name: 'Actions', kind: 'actions', of: replay => (GOING_ON.includes(replay.state)
      ? html`<button class="button small" aria-label="Stop replay ${replay.id}" @click=${() => this.stop(replay)}>Stop</button>` : nothing) },
  ];

  start() {
    this.poll(signal => get('/replays', {}, signal), EVERY_MILLIS);
  }

  async stop(replay) {
    await ask({
      title: `Stop replay ${replay.id}`,
      action: 'Stop',
      explanation: 'What it has delivered stays delivered.',
      act: () => post(`/replays/${encodeURIComponent(replay.id)}/stop`),
      words: () => 'The replay is stopped.',
    });
    this.again();
  }

  template() {
    const { replays } = this;
    return html`
      ${pageHead('Replays', 'Pushes and dead letters that are delivered again.')}
      ${replays === null ? (this.problem ? nothing : pending()) : replays.length ? table(this.columns, replays, 'Replays, newest first', replay => replay.id)
    : empty('No replay', html`Begin one at a push, or for all that a search found, under <a href="#/pushes">Pushes</a>.`)}`;
  }
}

customElements.define('hf-replays', Replays);
