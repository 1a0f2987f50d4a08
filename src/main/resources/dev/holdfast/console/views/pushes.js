import { html, nothing } from '../lib.js';
import { get, query } from '../api.js';
import { bytes, count, short, time } from '../formats.js';
import { filtered, filters } from '../filters.js';
import { askReplay } from '../replay.js';
import { Tail } from '../tail.js';
import { View } from '../view.js';
import { badge, empty, pageHead, pending, table, text, when } from '../widgets.js';

const FIELDS = [
  { name: 'event', label: 'Event', hint: 'conversation.created, client.*' },
  { name: 'id', label: 'Push id', hint: 'sub_…' },
  { name: 'enterprise', label: 'Enterprise', hint: 'enterprise token' },
  { name: 'endpoint', label: 'Endpoint', hint: 'default' },
  { name: 'from', label: 'From position', type: 'number' },
  { name: 'to', label: 'To position', type: 'number' },
  { name: 'since', label: 'Since', type: 'datetime-local' },
  { name: 'until', label: 'Until', type: 'datetime-local' },
];
/** Those that the tap knows. */
const TAPPED = ['event', 'enterprise', 'endpoint'];
const PAGE = 50;

/** Where the quarantine shows what was refused of the same. */
function refused({ event, id, endpoint, since, until }) {
  const search = query({ event, pushId: id, endpoint, since, until });
  return `#/quarantine${search && '?' + search}`;
}
const TAIL = 100;
const RATE = 20;

const COLUMNS = [
  { name: 'Position', kind: 'number', of: push => html`<a href="#/pushes/${push.seq}">${push.seq}</a>` },
  { name: 'Received', of: push => when(push.receivedAt, true) },
  { name: 'Event', kind: 'wide', of: push => html`<a href="#/pushes/${push.seq}">${text(push.event, 80)}</a> ${push.late ? badge('late') : nothing}` },
  { name: 'Push id', of: push => html`<code>${text(push.id, 60)}</code>` },
  { name: 'Enterprise', of: push => html`<code>${text(push.enterprise, 40)}</code>` },
  { name: 'Endpoint', kind: 'less', of: push => text(push.endpoint, 40) },
  { name: 'Size', kind: 'number less', of: push => bytes(push.bytes) },
];

class Pushes extends View {
  pushes = null;
  next = undefined;
  searched = null;
  tail = new Tail(this, TAIL, RATE);

  start() {
    this.tail.stop();
    this.tail.begin(null);
    this.update({ pushes: null, next: undefined });
    this.more();
  }

  queryChanged() {
    this.start();
  }

  more() {
    return this.load(async signal => {
      const before = this.pushes ?? [];
      const { pushes, next, searched } = await get('/pushes', { ...filtered(this, FIELDS), limit: PAGE, cursor: this.next }, signal);
      return { pushes: [...before, ...pushes], next, searched };
    });
  }

  toggleTail() {
    const { following, pushes } = this.tail;
    if (following && pushes?.length) {
      this.tail.stop();
      // How many there are before these nobody has looked.
      this.update({ pushes, next: undefined, searched: null });
    } else if (following) {
      this.start();
    } else {
      this.tail.begin(this.pushes);
      const { event, enterprise, endpoint } = this.query;
      const filters = { event, enterprise, endpoint };
      this.tail.follow(filters, signal => get('/pushes', { ...filters, limit: TAIL }, signal));
      this.update({ problem: null });
    }
  }

  template() {
    const { following, dropped } = this.tail;
    const pushes = following ? this.tail.pushes : this.pushes;
    const set = filtered(this, FIELDS);
    const canFollow = Object.keys(set).every(name => TAPPED.includes(name));
    return html`
      ${pageHead('Pushes', 'Everything that was accepted and is kept, newest first.', html`
        <button class="button ${following ? 'primary' : ''}" aria-pressed=${String(following)} ?disabled=${!canFollow}
          title=${canFollow ? nothing : 'A live tail goes by event, enterprise and endpoint only'} @click=${() => this.toggleTail()}>
          <span class="lamp ${following ? 'live' : ''}" aria-hidden="true"></span>${following ? 'Stop the live tail' : 'Live tail'}</button>
        <button class="button" ?disabled=${!pushes?.length} @click=${() => askReplay(set, 'Replay these pushes')}>Replay these…</button>`)}
      ${filters(this, 'pushes', FIELDS)}
      ${following || dropped ? html`<p class="muted sampled">${following ? `Live: the newest ${TAIL}, ${RATE} a second at most.` : ''}${dropped ? ` ${short(dropped)} more came in and are not shown here; the journal has them.` : ''}</p>` : nothing}
      ${pushes === null ? (this.problem ? nothing : pending(10)) : pushes.length ? table(COLUMNS, pushes, 'Pushes, newest first', push => push.seq) : this.none(set)}
      ${following || pushes === null ? nothing : this.end()}`;
  }

  none(set) {
    if (this.next) {
      return empty('Nothing found yet', 'The search ends after a moment so that it costs the gateway little. Look further below.');
    }
    return Object.keys(set).length
      ? empty('No push matches', html`Take a filter away, or look whether it was refused: <a href=${refused(set)}>the quarantine</a> and <a href="#/ledger">the ledger</a> know.`)
      : empty('No push yet', html`Send one: <code>holdfast simulate</code> plays the platform.`);
  }

  end() {
    const { searched } = this;
    return html`<p class="row list-end">
      ${this.next ? html`<button class="button" @click=${() => this.more()}>${this.pushes.length ? 'Show more' : 'Look further'}</button>` : nothing}
      ${searched ? html`<span class="muted">Looked at ${count(searched.count, 'push', 'pushes')}${searched.receivedAt ? `, back to ${time(searched.receivedAt)} (position ${searched.seq})` : ''}.${this.next ? '' : ' There is nothing more.'}</span>` : nothing}
    </p>`;
  }
}

customElements.define('hf-pushes', Pushes);
