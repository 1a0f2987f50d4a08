import { html, nothing } from './lib.js';
import { bytes, decoded, pretty } from './formats.js';
import { copyButton, longText, panel } from './widgets.js';

/**
 * The body of a push or a request: hidden until asked for, pretty or raw.
 *
 * @param view keeps `body`: {shown, raw, all}
 * @param base64 the bytes
 * @param name that the file gets
 */
export function bodyPanel(view, base64, size, name) {
  const state = view.body ?? { shown: false, raw: false, all: false };
  const set = change => view.update({ body: { ...state, ...change } });
  if (!state.shown) {
    return panel('Body', html`<div class="hidden-body">
      <p>${bytes(size)} of business data. Hidden until you ask for it.</p>
      <button class="button" @click=${() => set({ shown: true })}>Show body</button>
    </div>`);
  }
  const exact = decoded(base64);
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(exact);
  const indented = state.raw ? null : pretty(raw);
  return panel('Body', html`
    ${!state.raw && indented === null ? html`<p class="muted">It is not JSON, and shown as it is.</p>` : nothing}
    ${longText(indented ?? raw, state.all, () => set({ all: true }))}`,
  html`<div class="row">
    <div class="switch" role="group" aria-label="Form of the body">
      <button aria-pressed=${String(!state.raw)} @click=${() => set({ raw: false })}>Pretty</button>
      <button aria-pressed=${String(state.raw)} @click=${() => set({ raw: true })}>Raw</button>
    </div>
    ${copyButton(raw, 'Copy')}
    <button class="button small" @click=${() => download(exact, name)}>Download</button>
    <button class="button small" @click=${() => set({ shown: false })}>Hide</button>
  </div>`);
}

/** Byte for byte, so that `verify` can be used on it. */
function download(exact, name) {
  const url = URL.createObjectURL(new Blob([exact]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
