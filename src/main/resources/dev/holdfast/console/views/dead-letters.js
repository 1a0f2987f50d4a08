import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { askDiscard, askRetry, discard, retry } from '../dead-letters.js';
import { filtered, filters } from '../filters.js';
import { number } from '../formats.js';
import { View } from '../view.js';
import { empty, pageHead, panel, pending, table, text, when } from '../widgets.js';

const FIELDS = [
  { name: 'consumer', label: 'Consumer' },
  { name: 'event', label: 'Event', hint: 'conversation.created, client.*' },
  { name: 'seq', label: 'Position', type: 'number' },
  { name: 'from', label: 'From position', type: 'number' },
  { name: 'to', label: 'To position', type: 'number' },
];
const EVERY_MILLIS = 3000;
const PAGE = 50;

const DISCARDS = [
  { name: 'When', of: discarded => when(discarded.at) },
  { name: 'Consumer', of: discarded => text(discarded.consumer) },
  { name: 'Push', kind: 'number', of: discarded => html`<a href="#/pushes/${discarded.seq}">${discarded.seq}</a>` },
  { name: 'Event', of: discarded => text(discarded.event) },
  { name: 'Reason', kind: 'wide', of: discarded => text(discarded.reason) },
];

class DeadLetters extends View {
  letters = null;
  discards = [];
  next = undefined;
  shown = PAGE;

  columns = [
    { name: 'Push', kind: 'number', of: letter => html`<a href="#/dead-letters/${encodeURIComponent(letter.consumer)}/${letter.seq}">${letter.seq}</a>` },
    { name: 'Consumer', of: letter => text(letter.consumer) },
    { name: 'Event', of: letter => text(letter.event, 60) },
    { name: 'Failed last', of: letter => when(letter.last.at) },
    { name: 'Attempts', kind: 'number', of: letter => number(letter.attempts) },
    { name: 'Error', kind: 'wide', of: letter => text(letter.last.error, 160) },
    { name: 'Actions', kind: 'actions', of: letter => html`
      <button class="button small" aria-label="Retry push ${letter.seq} at ${letter.consumer}" @click=${() => askRetry(letter).then(() => this.again())}>Retry</button>
      <button class="button small" aria-label="Discard push ${letter.seq} at ${letter.consumer}" @click=${() => askDiscard(letter).then(() => this.again())}>Discard</button>` },
  ];

  start() {
    this.poll(signal => this.fetch(signal), EVERY_MILLIS);
  }

  queryChanged() {
    this.update({ letters: null, shown: PAGE });
    this.again();
  }

  async fetch(signal) {
    const { deadLetters, next } = await get('/dead-letters', { ...filtered(this, FIELDS), limit: this.shown }, signal);
    const { discards } = await get('/discards', { limit: 10 }, signal);
    return { letters: deadLetters, next, discards };
  }

  template() {
    const { letters } = this;
    const set = filtered(this, FIELDS);
    return html`
      ${pageHead('Dead letters', 'Pushes that a consumer failed for good. They are kept until they are handled or discarded.', html`
        <button class="button primary" ?disabled=${!letters?.length} @click=${() => retry(set).then(() => this.again())}>Retry all${Object.keys(set).length ? ' of these' : ''}…</button>
        <button class="button" ?disabled=${!letters?.length} @click=${() => discard(set).then(() => this.again())}>Discard all${Object.keys(set).length ? ' of these' : ''}…</button>`)}
      ${filters(this, 'dead-letters', FIELDS)}
      ${letters === null ? (this.problem ? nothing : pending()) : letters.length ? table(this.columns, letters, 'Dead letters', letter => `${letter.seq} ${letter.consumer}`)
    : Object.keys(set).length ? empty('No dead letter matches', 'Take a filter away to see the others.') : empty('No dead letters', 'Every push was handled, or still has attempts left.')}
      ${this.next && letters?.length ? html`<p class="row list-end"><button class="button" ?disabled=${this.shown >= 1000} @click=${() => { this.shown = Math.min(1000, this.shown * 4); this.again(); }}>Show more</button></p>` : nothing}
      ${this.discards.length ? panel('Discarded lately', table(DISCARDS, this.discards, 'Discarded dead letters')) : nothing}`;
  }
}

customElements.define('hf-dead-letters', DeadLetters);
