import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { bodyPanel } from '../body.js';
import { askDiscard, askRetry } from '../dead-letters.js';
import { ago, bytes, count, time } from '../formats.js';
import { askReplay } from '../replay.js';
import { View } from '../view.js';
import { badge, copyButton, facts, pageHead, panel, pending, text, toneOf, when } from '../widgets.js';

const EVERY_MILLIS = 2000;
const SMALL_BYTES = 256 * 1024;
/** From these there is no way on. A dead letter may be on its way again, and is dead until it is handled. */
const FINAL = ['handled', 'discarded', 'not-subscribed', 'before-start'];

const WORDS = {
  handled: 'The consumer is past it, and it neither waits nor is a dead letter.',
  waiting: 'Its turn has not come yet.',
  'under-way': 'Given to the consumer, which has not answered yet.',
  blocked: 'Failed, and waits for its next attempt. Its lane waits behind it.',
  behind: 'Waits behind a failed push of its lane.',
  dead: 'Failed for good. It is kept as a dead letter until somebody retries or discards it.',
  discarded: 'It was a dead letter, and was discarded, or given up by a bound.',
  'not-subscribed': 'The consumer does not subscribe to this event.',
  'before-start': 'Older than where the consumer started.',
};

/** One push: what it is, and its state at every consumer. */
class Push extends View {
  pageTitle = 'Push';
  push = null;

  start() {
    this.load(async signal => ({ push: await get(`/pushes/${encodeURIComponent(this.params.seq)}`, {}, signal) })).then(() => this.follow());
  }

  /** Looks again while something is under way; less often at a large one, which comes along each time. */
  async follow() {
    while (!this.signal.aborted) {
      const pause = this.push && this.push.bytes > SMALL_BYTES ? 10 * EVERY_MILLIS : EVERY_MILLIS;
      await new Promise(resolve => setTimeout(resolve, pause));
      if (document.visibilityState === 'visible' && this.push?.deliveries.some(delivery => !FINAL.includes(delivery.state))) {
        await this.again();
      }
    }
  }

  template() {
    const { push } = this;
    const { seq } = this.params;
    return html`
      <a class="back" href="#/pushes">← Pushes</a>
      ${pageHead(push ? text(push.event, 120) : `Push ${seq}`, push ? html`Push ${seq}, received ${when(push.receivedAt, true)}` : nothing, push ? html`
        <button class="button" @click=${() => askReplay({ from: seq, to: seq }, `Replay push ${seq}`)}>Replay…</button>
        <button class="button" @click=${() => askReplay({ from: seq }, `Replay from push ${seq} on`)}>Replay from here…</button>` : nothing)}
      ${push ? html`
        <div class="split">
          ${panel('Deliveries', html`<ol class="timeline">${this.received()}${push.deliveries.map(delivery => this.delivery(delivery))}</ol>`)}
          <div class="stack">
            ${panel('Envelope', this.envelope())}
            ${panel('Signature', this.signature())}
          </div>
        </div>
        ${bodyPanel(this, push.body, push.bytes, `push-${seq}`)}` : this.problem ? nothing : pending(10)}`;
  }

  received() {
    const { push } = this;
    return html`<li class="step good">
      <h3>Received ${badge('accepted')}</h3>
      <p class="muted">${push.late
    ? `Refused with 401 when it came, as its signature matched no secret. Now it does: the quarantine gave it back, stored at position ${push.seq}.`
    : `Signature right, stored at position ${push.seq}.`}</p>
      <p class="moment">${when(push.receivedAt, true)} at endpoint ${text(push.endpoint)}</p>
    </li>`;
  }

  delivery(delivery) {
    const { seq, event } = this.push;
    const letter = { consumer: delivery.consumer, seq, event };
    return html`<li class="step ${toneOf(delivery.state)}">
      <h3><a href="#/consumers/${encodeURIComponent(delivery.consumer)}">${text(delivery.consumer)}</a> ${badge(delivery.state)}</h3>
      <p class="muted">${WORDS[delivery.state]}${delivery.reason ? html` Reason: ${text(delivery.reason)}` : nothing}
        ${delivery.behindSeq !== undefined ? html` It is <a href="#/pushes/${delivery.behindSeq}">push ${delivery.behindSeq}</a>.` : nothing}</p>
      ${delivery.firstFailedAt ? html`<p class="moment">${when(delivery.firstFailedAt, true)} first failure</p>` : nothing}
      ${delivery.lastFailedAt ? html`<p class="moment">${when(delivery.lastFailedAt, true)} last failure${delivery.attempts ? `, ${count(delivery.attempts, 'attempt')} so far` : ''}</p>` : nothing}
      ${delivery.lastError ? html`<pre class="error">${text(delivery.lastError, 1000)}</pre>` : nothing}
      ${delivery.nextAttemptAt ? html`<p class="moment">${time(delivery.nextAttemptAt)} next attempt, ${ago(delivery.nextAttemptAt)}</p>` : nothing}
      ${delivery.lane && delivery.state !== 'handled' ? html`<p class="moment">Lane <code>${text(delivery.lane, 80)}</code></p>` : nothing}
      ${delivery.state === 'dead' ? html`<p class="row">
        <button class="button small" @click=${() => askRetry(letter).then(() => this.again())}>Retry…</button>
        <button class="button small" @click=${() => askDiscard(letter).then(() => this.again())}>Discard…</button>
        <a href="#/dead-letters/${encodeURIComponent(delivery.consumer)}/${seq}">The dead letter</a></p>` : nothing}
    </li>`;
  }

  envelope() {
    const { push } = this;
    return facts([
      ['Event', text(push.event)],
      ['Push id', html`<code>${text(push.id)}</code>`],
      ['Enterprise', html`<code>${text(push.enterprise)}</code>`],
      ['Created', text(push.createdAt)],
      ['Endpoint', text(push.endpoint)],
      ['Size', bytes(push.bytes)],
      ['Content type', text(push.contentType)],
      ['Content encoding', push.contentEncoding ? text(push.contentEncoding) : undefined],
      ['Query', push.query ? text(push.query) : undefined],
    ]);
  }

  signature() {
    const { header, value, matches } = this.push.signature;
    return html`
      ${facts([
    ['Checked again now', matches ? badge('matches') : badge('no match')],
    ['Header', html`<code>${text(header)}</code>`],
    ['Value', html`<code class="breaking">${text(value)}</code>`],
  ])}
      ${matches ? nothing : html`<p class="muted">No secret that is live now matches. It matched one when the push was accepted, which has been taken away since.</p>`}
      <p class="row">${copyButton(value, 'Copy signature')}</p>`;
  }
}

customElements.define('hf-push', Push);
