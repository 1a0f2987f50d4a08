import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { filtered, filters } from '../filters.js';
import { bytes } from '../formats.js';
import { discard, verify } from '../quarantine.js';
import { View } from '../view.js';
import { empty, pageHead, pending, table, text, when } from '../widgets.js';

const FIELDS = [
  { name: 'endpoint', label: 'Endpoint' },
  { name: 'cause', label: 'Cause', hint: 'mismatch, missing, …' },
  { name: 'event', label: 'Event (unverified)', hint: 'client.*' },
  { name: 'pushId', label: 'Push id (unverified)', hint: 'sub_…' },
  { name: 'since', label: 'Since', type: 'datetime-local' },
  { name: 'until', label: 'Until', type: 'datetime-local' },
];
const EVERY_MILLIS = 3000;
const PAGE = 50;

class Quarantine extends View {
  requests = null;
  next = undefined;
  shown = PAGE;

  columns = [
    { name: 'Number', kind: 'number', of: request => html`<a href="#/quarantine/${request.id}">${request.id}</a>` },
    { name: 'Received', of: request => when(request.receivedAt) },
    { name: 'Endpoint', of: request => text(request.endpoint) },
    { name: 'Cause', of: request => text(request.cause) },
    { name: 'Says it is (unverified)', kind: 'wide', of: request => html`${request.event ? text(request.event, 60) : html`<span class="muted">unreadable</span>`}
      ${request.pushId ? html`<span class="under">${text(request.pushId, 60)}</span>` : nothing}` },
    { name: 'From', of: request => html`<code>${text(request.address)}</code>` },
    { name: 'Size', kind: 'number', of: request => bytes(request.bytes) },
    { name: 'Actions', kind: 'actions', of: request => html`
      <button class="button small" aria-label="Verify request ${request.id}" @click=${() => verify({ id: request.id }, `Verify request ${request.id} again`).then(() => this.again())}>Verify</button>
      <button class="button small" aria-label="Discard request ${request.id}" @click=${() => discard({ id: request.id }, `Discard request ${request.id}`).then(() => this.again())}>Discard</button>` },
  ];

  start() {
    this.poll(async signal => ({ next: undefined, ...await get('/quarantine', { ...filtered(this, FIELDS), limit: this.shown }, signal) }), EVERY_MILLIS);
  }

  queryChanged() {
    this.update({ requests: null, shown: PAGE });
    this.again();
  }

  template() {
    const { requests } = this;
    const set = filtered(this, FIELDS);
    const these = Object.keys(set).length ? ' of these' : '';
    return html`
      ${pageHead('Quarantine', 'Requests that were refused for their signature. When the mistake was on this side, mend the secret and verify them.', html`
        <button class="button primary" ?disabled=${!requests?.length} @click=${() => verify(set).then(() => this.again())}>Verify all${these}…</button>
        <button class="button" ?disabled=${!requests?.length} @click=${() => discard(set).then(() => this.again())}>Discard all${these}…</button>`)}
      ${filters(this, 'quarantine', FIELDS)}
      ${requests === null ? (this.problem ? nothing : pending()) : requests.length ? table(this.columns, requests, 'Refused requests, newest first', request => request.id)
    : these ? empty('No request matches', 'Take a filter away to see the others.') : empty('The quarantine is empty', 'Nothing was refused for its signature, or all of it was dealt with.')}
      ${this.next && requests?.length ? html`<p class="row list-end"><button class="button" ?disabled=${this.shown >= 1000} @click=${() => { this.shown = Math.min(1000, this.shown * 4); this.again(); }}>Show more</button></p>` : nothing}`;
  }
}

customElements.define('hf-quarantine', Quarantine);
