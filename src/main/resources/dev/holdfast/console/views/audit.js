import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { number } from '../formats.js';
import { View } from '../view.js';
import { empty, pageHead, pending, table, text, when } from '../widgets.js';

const PAGE = 100;

const COLUMNS = [
  { name: 'When', of: action => when(action.at) },
  { name: 'Who', of: action => text(action.who) },
  { name: 'From', kind: 'less', of: action => html`<code>${text(action.from)}</code>` },
  { name: 'Action', of: action => text(action.action) },
  { name: 'Which', kind: 'wide', of: action => text(action.target) },
  { name: 'How many', kind: 'number', of: action => (action.count === undefined ? '–' : number(action.count)) },
  { name: 'Reason', of: action => text(action.reason) },
];

/** Who changed what. */
class Audit extends View {
  actions = null;
  next = undefined;

  start() {
    this.more();
  }

  more() {
    return this.load(async signal => {
      const before = this.actions ?? [];
      const { actions, next } = await get('/audit', { limit: PAGE, cursor: this.next }, signal);
      return { actions: [...before, ...actions], next };
    });
  }

  template() {
    const { actions } = this;
    return html`
      ${pageHead('Audit', 'Everything that was changed by way of the management port, newest first.')}
      ${actions === null ? (this.problem ? nothing : pending()) : actions.length ? table(COLUMNS, actions, 'Actions, newest first')
    : empty('Nothing was changed yet', 'Retries, discards, replays, pauses and verifications are noted here.')}
      ${this.next ? html`<p class="row list-end"><button class="button" @click=${() => this.more()}>Show more</button></p>` : nothing}`;
  }
}

customElements.define('hf-audit', Audit);
