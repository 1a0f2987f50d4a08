import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { bodyPanel } from '../body.js';
import { bytes } from '../formats.js';
import { discard, verify } from '../quarantine.js';
import { View } from '../view.js';
import { facts, pageHead, panel, pending, table, text, when } from '../widgets.js';

const HEADERS = [
  { name: 'Header', of: header => html`<code>${text(header.name, 100)}</code>` },
  { name: 'Value', kind: 'wide', of: header => html`<code class="breaking">${text(header.value, 1000)}</code>` },
];

/** One refused request. All of it was written by somebody unknown. */
class Quarantined extends View {
  pageTitle = 'Refused request';
  request = null;

  start() {
    this.load(async signal => ({ request: await get(`/quarantine/${encodeURIComponent(this.params.id)}`, {}, signal) }));
  }

  back(done) {
    if (done) {
      location.hash = '#/quarantine';
    }
  }

  template() {
    const { request } = this;
    const { id } = this.params;
    return html`
      <a class="back" href="#/quarantine">← Quarantine</a>
      ${pageHead(`Request ${id}`, 'Refused for its signature. All of it was written by somebody unknown.', request ? html`
        <button class="button primary" @click=${async () => this.back(await verify({ id }, `Verify request ${id} again`))}>Verify…</button>
        <button class="button" @click=${async () => this.back(await discard({ id }, `Discard request ${id}`))}>Discard…</button>` : nothing)}
      ${request ? html`
        ${panel('Request', facts([
    ['Received', when(request.receivedAt, true)],
    ['Endpoint', text(request.endpoint)],
    ['Cause', text(request.cause)],
    ['Event, unverified', request.event ? text(request.event) : undefined],
    ['Push id, unverified', request.pushId ? text(request.pushId) : undefined],
    ['From', html`<code>${text(request.address)}</code>`],
    ['Size', bytes(request.bytes)],
    ['Query', request.query ? text(request.query) : undefined],
  ]))}
        ${panel('Headers', table(HEADERS, request.headers, 'Headers of the request'))}
        ${bodyPanel(this, request.body, request.bytes, `request-${id}`)}` : this.problem ? nothing : pending()}`;
  }
}

customElements.define('hf-quarantined', Quarantined);
