import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { pauseButton } from '../consumers.js';
import { duration, number, short } from '../formats.js';
import { View } from '../view.js';
import { badge, empty, pageHead, pending, table, text, when } from '../widgets.js';

const EVERY_MILLIS = 2000;

class Consumers extends View {
  consumers = null;

  columns = [
    { name: 'Consumer', of: consumer => html`<a href="#/consumers/${encodeURIComponent(consumer.name)}">${text(consumer.name)}</a>
      <span class="under">${consumer.events.map(event => html`<code>${text(event, 60)}</code> `)}</span>` },
    { name: 'State', of: consumer => html`${badge(consumer.state)}${consumer.because ? html`<span class="under">${text(consumer.because, 160)}</span>` : nothing}` },
    { name: 'Lag', kind: 'number', of: consumer => html`${number(consumer.lag ?? 0)}<span class="under">${consumer.lagSeconds ? duration(consumer.lagSeconds) : nothing}</span>` },
    { name: 'Rate', kind: 'number', of: consumer => (consumer.rate === undefined ? '–' : short(consumer.rate) + ' /s') },
    { name: 'Blocked lanes', kind: 'number', of: consumer => number(consumer.lanesBlocked ?? 0) },
    { name: 'Dead letters', kind: 'number', of: consumer => (consumer.deadLetters ? html`<a href="#/dead-letters?consumer=${encodeURIComponent(consumer.name)}">${number(consumer.deadLetters)}</a>` : '0') },
    { name: 'Last failure', kind: 'wide', of: consumer => (consumer.lastFailure
      ? html`${when(consumer.lastFailure.at)} <a href="#/pushes/${consumer.lastFailure.seq}">push ${consumer.lastFailure.seq}</a><span class="under">${text(consumer.lastFailure.error, 160)}</span>` : html`<span class="muted">none</span>`) },
    { name: 'Actions', kind: 'actions', of: consumer => pauseButton(consumer, () => this.again()) },
  ];

  start() {
    this.poll(signal => get('/consumers', {}, signal), EVERY_MILLIS);
  }

  template() {
    const { consumers } = this;
    return html`
      ${pageHead('Consumers', 'Who gets the pushes, how far each one is, and what holds it up.')}
      ${consumers === null ? (this.problem ? nothing : pending()) : consumers.length ? table(this.columns, consumers, 'Consumers', consumer => consumer.name)
    : empty('No consumer yet', html`Pushes are kept until one is configured under <code>consumers</code>.`)}`;
  }
}

customElements.define('hf-consumers', Consumers);
