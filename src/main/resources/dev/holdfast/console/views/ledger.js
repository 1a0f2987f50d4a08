import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { filtered, filters } from '../filters.js';
import { duration, number } from '../formats.js';
import { View } from '../view.js';
import { empty, pageHead, panel, pending, table, text, when } from '../widgets.js';

const FIELDS = [
  { name: 'since', label: 'Since (UTC)', type: 'date' },
  { name: 'until', label: 'Before (UTC)', type: 'date' },
];
const MOST = 500;

const COUNTS = [
  { name: 'Day (UTC)', of: line => line.day },
  { name: 'Cause', of: line => text(line.cause) },
  { name: 'Where', kind: 'wide', of: line => html`${line.endpoint ? html`endpoint ${text(line.endpoint)} ` : nothing}${line.consumer ? html`consumer ${text(line.consumer)} ` : nothing}
    ${line.event ? html`<code>${text(line.event, 80)}</code> ` : nothing}${line.from === undefined ? nothing : html`<span class="muted">positions ${number(line.from)} to ${number(line.to)}</span>`}` },
  { name: 'Count', kind: 'number', of: line => number(line.count) },
];

const STOPS = { clean: 'clean', unclean: 'not clean', lost: 'not known, it is lost with the store', none: 'none, it was the first start' };

const STARTS = [
  { name: 'Started', of: start => when(start.at) },
  { name: 'Down for', kind: 'number', of: start => (start.downMillis === undefined ? '–' : duration(start.downMillis / 1000)) },
  { name: 'Stop before', kind: 'wide', of: start => text(STOPS[start.lastStop] ?? start.lastStop) },
];

/** What was refused or lost, for good; and when the gateway was down. */
class Ledger extends View {
  ledger = null;

  start() {
    this.load(async signal => ({ ledger: await get('/ledger', { ...filtered(this, FIELDS), limit: MOST }, signal) }));
  }

  queryChanged() {
    this.update({ ledger: null });
    this.start();
  }

  template() {
    const { ledger } = this;
    return html`
      ${pageHead('Ledger', 'What was refused or lost, counted for good by day, cause and where.')}
      ${filters(this, 'ledger', FIELDS)}
      ${ledger ? html`
        ${panel('Refused and lost', ledger.counts.length ? table(COUNTS, ledger.counts, 'Counts, newest first') : empty('Nothing was refused or lost', 'In all the time that is asked for.'))}
        ${panel('Starts and downtime', ledger.starts.length ? table(STARTS, ledger.starts, 'Starts, newest first') : empty('No start in that time', 'The gateway ran through, or was not there yet.'))}
        ${ledger.more ? html`<p class="muted">There is more: narrow the days.</p>` : nothing}` : this.problem ? nothing : pending()}`;
  }
}

customElements.define('hf-ledger', Ledger);
