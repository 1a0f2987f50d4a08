// What views are made of: texts, badges, tables, empty states.
import { html, nothing, repeat } from './lib.js';
import { ago, beginning, time, visibleParts } from './formats.js';

/** Beyond it a text is cut, and has a button for the rest. */
const LONG = 20_000;

/**
 * A text of unknown origin: nothing in it is markup, it can't change the direction of what stands beside it, and what is
 * hidden in it is shown.
 */
export function text(value, longest = 300) {
  if (value === null || value === undefined || value === '') {
    return html`<span class="muted">–</span>`;
  }
  const all = String(value);
  const cut = all.length > longest;
  const parts = visibleParts(cut ? beginning(all, longest) : all);
  return html`<bdi>${parts.map((part, i) => (i % 2 ? html`<span class="hidden-character">${part}</span>` : part))}${cut ? '…' : ''}</bdi>`;
}

/** A long text, such as a body, which is cut until `all` is asked for. */
export function longText(value, all, showAll) {
  const cut = !all && value.length > LONG;
  const shown = cut ? beginning(value, LONG) : value;
  return html`
    <pre class="body" tabindex="0" role="region" aria-label="Body" dir="ltr">${shown.length <= LONG ? text(shown, LONG) : html`<bdi>${visibleParts(shown).join('')}</bdi>`}</pre>
    ${cut ? html`<p class="row">
      <span class="muted">The first ${LONG.toLocaleString('en')} of ${value.length.toLocaleString('en')} characters.</span>
      <button class="button small" @click=${showAll}>Show all</button>
    </p>` : nothing}`;
}

const TONES = {
  running: 'good', handled: 'good', done: 'good', ready: 'good', valid: 'good', matches: 'good', accepted: 'good',
  paused: 'neutral', 'not-subscribed': 'neutral', 'before-start': 'neutral', discarded: 'neutral', late: 'neutral', stopped: 'neutral',
  waiting: 'info', 'under-way': 'info', starting: 'info', exchanging: 'info', renewing: 'info',
  slowed: 'warning', behind: 'warning', warning: 'warning', blocked: 'warning',
  stuck: 'bad', dead: 'bad', critical: 'bad', failed: 'bad', 'needs-code': 'bad', 'no match': 'bad', 'not ready': 'bad',
};

export const toneOf = state => TONES[state] ?? 'neutral';

/** A state in a word, with a colour that the word doesn't need. */
export const badge = (state, tone = toneOf(state)) => html`<span class="badge ${tone}">${state.replaceAll('-', ' ')}</span>`;

/** A time of day, and how long ago when pointed at. */
export const when = (iso, withMillis = false) =>
  (iso ? html`<time datetime=${iso} title="${iso}, ${ago(iso)}">${time(iso, withMillis)}</time>` : html`<span class="muted">–</span>`);

/** @param again what tries it once more; not offered where the question was wrong, which is answered the same each time */
export const problem = (failure, again) => html`<div class="notice bad" role="alert"><strong>That did not work.</strong> ${text(failure.message, 2000)}
  ${failure.status >= 400 && failure.status < 500 ? nothing : html`<p class="row"><button class="button small" @click=${again}>Try again</button></p>`}</div>`;

export const empty = (title, hint) => html`<div class="empty"><p class="empty-title">${title}</p><p>${hint}</p></div>`;

/** Lines that keep a list's place until it is there. */
export const pending = (lines = 6) => html`<div class="pending" role="status" aria-label="Loading">${Array.from({ length: lines }, () => html`<div></div>`)}</div>`;

const line = (columns, row) => html`
  <tr role="row">${columns.map(column => html`<td role="cell" class=${column.kind ?? ''} data-name=${column.name}>${column.of(row)}</td>`)}</tr>`;

/**
 * A table; on a narrow screen a list of its rows, which the roles say to be a table still.
 *
 * @param columns each with `name`, `of` (what a row has there), and `kind`: number, wide, actions, less (left out on a
 *     narrow screen), several of them or none
 * @param caption what it lists, for who doesn't see it
 * @param key what a row is known by when others come before it, so that it keeps the focus
 */
export const table = (columns, rows, caption, key = null) => html`
  <div class="table-frame">
    <table role="table">
      <caption class="visually-hidden">${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">${columns.map(column => html`<th role="columnheader" scope="col" class=${column.kind ?? ''}>${column.kind === 'actions' ? html`<span class="visually-hidden">${column.name}</span>` : column.name}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">
        ${key ? repeat(rows, key, row => line(columns, row)) : rows.map(row => line(columns, row))}
      </tbody>
    </table>
  </div>`;

/** Names with values. Pairs whose value is undefined are left out. */
export const facts = pairs => html`
  <dl class="facts">
    ${pairs.filter(([, value]) => value !== undefined).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;

/** A panel with a heading. */
export const panel = (title, content, actions = nothing) => html`
  <section class="panel">
    <header class="panel-head"><h2>${title}</h2>${actions}</header>
    ${content}
  </section>`;

export const pageHead = (title, explanation, actions = nothing) => html`
  <header class="page-head">
    <div><h1 tabindex="-1">${title}</h1>${explanation ? html`<p class="muted">${explanation}</p>` : nothing}</div>
    <div class="row">${actions}</div>
  </header>`;

/** Copies what must be exact, of which the page shows only what can be seen. Browsers allow it on loopback and with TLS. */
export const copyButton = (value, what) => (!navigator.clipboard ? nothing : html`<button class="button small" @click=${async event => {
  const button = event.currentTarget;
  await navigator.clipboard.writeText(value);
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = what; }, 1500);
}}>${what}</button>`);
