import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { pauseButton } from '../consumers.js';
import { ago, count, duration, number, short } from '../formats.js';
import { View } from '../view.js';
import { badge, empty, facts, pageHead, panel, pending, table, text, when } from '../widgets.js';

const EVERY_MILLIS = 2000;

const LANES = [
  { name: 'Lane', of: lane => html`<code>${text(lane.lane, 60)}</code>` },
  { name: 'Blocked by', of: lane => html`<a href="#/pushes/${lane.seq}">push ${lane.seq}</a> ${lane.event ? html`<span class="under">${text(lane.event, 60)}</span>` : nothing}` },
  { name: 'Waiting', kind: 'number', of: lane => number(lane.waiting) },
  { name: 'Attempts', kind: 'number', of: lane => (lane.attempts === undefined ? '–' : number(lane.attempts)) },
  { name: 'Failing since', of: lane => when(lane.firstFailedAt) },
  { name: 'Next attempt', of: lane => (lane.nextAttemptAt ? ago(lane.nextAttemptAt) : html`<span class="muted">–</span>`) },
  { name: 'Last error', kind: 'wide', of: lane => text(lane.lastError, 200) },
];

/** One consumer, and what blocks its lanes. */
class Consumer extends View {
  pageTitle = 'Consumer';
  consumer = null;

  start() {
    const path = `/consumers/${encodeURIComponent(this.params.name)}`;
    this.poll(async signal => ({ consumer: await get(path, {}, signal) }), EVERY_MILLIS);
  }

  template() {
    const consumer = this.problem?.status === 404 ? null : this.consumer;
    return html`
      <a class="back" href="#/consumers">← Consumers</a>
      ${pageHead(text(this.params.name), consumer ? html`${badge(consumer.state)} ${text(consumer.because ?? ' ', 400)}` : nothing, consumer ? pauseButton(consumer, () => this.again()) : nothing)}
      ${consumer ? html`
        ${panel('State', facts([
    ['Events', consumer.events.map(event => html`<code>${text(event, 60)}</code> `)],
    ['Verticle', consumer.verticle && html`<code class="breaking">${text(consumer.verticle)}</code>`],
    ['Position', consumer.handled === undefined ? undefined : number(consumer.handled)],
    ['Lag', consumer.lag === undefined ? undefined : `${count(consumer.lag, 'position')}${consumer.lagSeconds ? ', the oldest is ' + duration(consumer.lagSeconds) + ' old' : ''}`],
    ['Rate', consumer.rate === undefined ? undefined : short(consumer.rate) + ' a second'],
    ['Blocked lanes', consumer.lanesBlocked === undefined ? undefined : `${number(consumer.lanesBlocked)}, ${number(consumer.lanesBackingOff ?? 0)} of them backing off`],
    ['Dead letters', html`<a href="#/dead-letters?consumer=${encodeURIComponent(consumer.name)}">${number(consumer.deadLetters ?? 0)}</a>`],
    ['Last failure', consumer.lastFailure && html`${when(consumer.lastFailure.at)} at <a href="#/pushes/${consumer.lastFailure.seq}">push ${consumer.lastFailure.seq}</a>: ${text(consumer.lastFailure.error)}`],
  ].map(([name, value]) => [name, value ?? undefined])))}
        ${panel('Blocked lanes', consumer.lanes.length ? table(LANES, consumer.lanes, 'Blocked lanes, those that fail longest first') : empty('Nothing is blocked', 'Every lane of this consumer moves.'),
    consumer.more ? html`<span class="muted">the first ${consumer.lanes.length}</span>` : nothing)}` : this.problem ? nothing : pending()}`;
  }
}

customElements.define('hf-consumer', Consumer);
