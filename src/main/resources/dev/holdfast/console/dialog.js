// Asking before something is done, and saying that it was.
import { html, nothing, render } from './lib.js';
import { text } from './widgets.js';

/**
 * Asks in a dialog, and does it. Resolves to what `act` brought, or null when the dialog was closed before.
 *
 * @param title the question, `action` the button's word, `danger` whether it can't be undone
 * @param explanation what it means; optional
 * @param fields inputs, each with `name`, `label`, `value`, and `options` (a list) or `type`; `required`, `hint`; optional
 * @param count from the fields' values to a sentence of how many; asked for before it can be done; optional
 * @param act from the fields' values; what it throws is shown, and the dialog stays
 * @param words from what `act` brought to what is said then, also where the dialog was closed meanwhile
 */
export function ask({ title, action, danger = false, explanation, fields = [], count, act, words }) {
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  const state = { counted: count ? null : nothing, failure: null, busy: false };
  const opener = document.activeElement;
  let asked = 0;
  let result = null;

  const values = () => Object.fromEntries(fields.map(field => [field.name, dialog.querySelector(`[name="${field.name}"]`)?.value.trim() ?? field.value ?? '']));

  const draw = () => render(html`
    <form method="dialog" @submit=${submit}>
      <h2 id="dialog-title">${title}</h2>
      ${explanation ? html`<p>${explanation}</p>` : nothing}
      ${fields.map(input)}
      ${count ? html`<p class="counted" role="status">${state.counted ?? (state.failure ? nothing : 'Counting…')}</p>` : nothing}
      ${state.failure ? html`<p class="notice bad" role="alert">${text(state.failure, 2000)}</p>` : nothing}
      <div class="row end">
        <button type="button" class="button" @click=${() => dialog.close()}>${state.busy ? 'Close' : 'Cancel'}</button>
        <button type="submit" class="button ${danger ? 'danger' : 'primary'}" ?disabled=${state.busy || state.counted === null}>${action}</button>
      </div>
    </form>`, dialog);

  const input = field => html`<label class="field"><span>${field.label}</span>
    ${field.options
      ? html`<select name=${field.name} @change=${recount}>${field.options.map(([value, name]) => html`<option value=${value} ?selected=${value === field.value}>${name}</option>`)}</select>`
      : html`<input name=${field.name} type=${field.type ?? 'text'} .value=${field.value ?? ''} ?required=${field.required} autocomplete="off">`}
    ${field.hint ? html`<small class="muted">${field.hint}</small>` : nothing}
  </label>`;

  async function recount() {
    if (!count) {
      return;
    }
    const mine = ++asked;
    state.counted = null;
    state.failure = null;
    draw();
    try {
      const counted = await count(values());
      if (mine === asked) {
        state.counted = counted;
      }
    } catch (failure) {
      if (mine === asked) {
        state.failure = failure.message;
      }
    }
    draw();
  }

  async function submit(event) {
    event.preventDefault();
    state.busy = true;
    state.failure = null;
    draw();
    try {
      result = await act(values());
      dialog.close();
      said(words(result));
      document.dispatchEvent(new Event('acted'));
    } catch (failure) {
      if (!dialog.open) {
        throw failure;
      }
      state.failure = failure.message;
    }
    state.busy = false;
    draw();
  }

  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      opener?.isConnected && opener.focus();
      resolve(result);
    });
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    draw();
    dialog.showModal();
    recount();
  });
}

/** Says for some seconds what was done. */
export function said(words) {
  const toast = document.createElement('p');
  toast.className = 'toast';
  toast.textContent = words;
  document.getElementById('toasts').append(toast);
  setTimeout(() => toast.remove(), 6000);
}
