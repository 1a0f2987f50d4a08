import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { bodyPanel } from '../body.js';
import { askDiscard, askRetry } from '../dead-letters.js';
import { bytes, number } from '../formats.js';
import { View } from '../view.js';
import { facts, pageHead, panel, pending, text, when } from '../widgets.js';

/** One dead letter: how it failed, and what it holds. */
class DeadLetter extends View {
  pageTitle = 'Dead letter';
  letter = null;

  start() {
    const { consumer, seq } = this.params;
    this.load(async signal => ({ letter: await get(`/dead-letters/${encodeURIComponent(consumer)}/${encodeURIComponent(seq)}`, {}, signal) }));
  }

  back(done) {
    if (done) {
      location.hash = '#/dead-letters';
    }
  }

  template() {
    const { letter } = this;
    const { consumer, seq } = this.params;
    return html`
      <a class="back" href="#/dead-letters">← Dead letters</a>
      ${pageHead(`Push ${seq} at ${consumer}`, letter ? html`${text(letter.event, 120)}` : nothing, letter ? html`
        <button class="button primary" @click=${async () => this.back(await askRetry(letter))}>Retry…</button>
        <button class="button" @click=${async () => this.back(await askDiscard(letter))}>Discard…</button>` : nothing)}
      ${letter ? html`
        <div class="split">
          ${panel('How it failed', html`<ol class="timeline">
            ${this.failure('First failure', letter.first)}
            ${this.failure(`Last failure, after ${letter.attempts === 1 ? 'one attempt' : number(letter.attempts) + ' attempts'}`, letter.last)}
          </ol>`)}
          ${panel('Push', facts([
    ['Position', html`<a href="#/pushes/${seq}">${seq}</a>`],
    ['Event', text(letter.event)],
    ['Push id', html`<code>${text(letter.id)}</code>`],
    ['Enterprise', html`<code>${text(letter.enterprise)}</code>`],
    ['Endpoint', text(letter.endpoint)],
    ['Received', when(letter.receivedAt, true)],
    ['Size', bytes(letter.bytes)],
    ['Content type', text(letter.contentType)],
  ]))}
        </div>
        ${bodyPanel(this, letter.body, letter.bytes, `push-${seq}`)}` : this.problem ? nothing : pending()}`;
  }

  failure(title, failure) {
    return html`<li class="step bad"><h3>${title}</h3><p class="moment">${when(failure.at, true)}</p><pre class="error">${text(failure.error, 2000)}</pre></li>`;
  }
}

customElements.define('hf-dead-letter', DeadLetter);
