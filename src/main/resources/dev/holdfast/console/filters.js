import { html, nothing } from './lib.js';
import { query } from './api.js';
import { text } from './widgets.js';

/**
 * Filters as chips, kept in the page's address, so that it can be shared.
 *
 * @param fields each with `name` (the API's), `label`, and `type` of its input or `hint`
 */
export function filters(view, path, fields) {
  const set = fields.filter(field => view.query[field.name] !== undefined && view.query[field.name] !== '');
  const chosen = fields.find(field => field.name === view.field) ?? fields[0];
  const go = values => {
    const search = query(values);
    location.hash = `#/${path}${search && '?' + search}`;
  };
  const add = event => {
    event.preventDefault();
    const input = event.target.querySelector('input');
    const value = chosen.type === 'datetime-local' ? new Date(input.value).toISOString() : input.value.trim();
    input.value = '';
    go({ ...view.query, [chosen.name]: value });
  };
  const remove = name => go({ ...view.query, [name]: undefined });
  return html`
    <form class="filters" role="search" @submit=${add}>
      <label class="visually-hidden" for="filter-field">Filter by</label>
      <select id="filter-field" @change=${event => view.update({ field: event.target.value })}>
        ${fields.map(field => html`<option value=${field.name} ?selected=${field === chosen}>${field.label}</option>`)}
      </select>
      <label class="visually-hidden" for="filter-value">${chosen.label}</label>
      <input id="filter-value" type=${chosen.type ?? 'search'} required step=${chosen.type === 'datetime-local' ? '1' : nothing} placeholder=${chosen.hint ?? ''} autocomplete="off" spellcheck="false">
      <button class="button">Add filter</button>
    </form>
    ${set.length ? html`<ul class="chips" aria-label="Filters">${set.map(field => html`
      <li class="chip"><span class="muted">${field.label}</span> ${text(view.query[field.name], 60)}
        <button aria-label="Remove the filter ${field.label}" @click=${() => remove(field.name)}>×</button></li>`)}
      <li><button class="button quiet small" @click=${() => go({})}>Clear all</button></li></ul>` : nothing}`;
}

/** Those of the query's values that are filters. */
export const filtered = (view, fields) => Object.fromEntries(fields.map(field => [field.name, view.query[field.name]]).filter(([, value]) => value));
