import { html, render } from './lib.js';
import { Problem } from './api.js';
import { problem } from './widgets.js';

const LONGEST_MILLIS = 30_000;

/**
 * A part of the page that draws itself from its fields. A view sets fields with `update`, and says in `template` what they
 * look like; lit-html changes what differs. What it began ends when it leaves the page.
 */
export class View extends HTMLElement {
  /** The parts of the path that vary, by name, and the query; set by the router. */
  params = {};
  query = {};
  /** A Problem of the last loading, or null. */
  problem = null;

  #ended = new AbortController();
  #drawing = false;
  /** The last loading. */
  #last = null;

  connectedCallback() {
    this.#ended = new AbortController();
    // A time without a day is one of today, and who comes back may do so tomorrow.
    document.addEventListener('visibilitychange', () => this.draw(), { signal: this.signal });
    this.draw();
    this.start();
  }

  disconnectedCallback() {
    this.#ended.abort();
  }

  /** Ends when the view leaves the page. */
  get signal() {
    return this.#ended.signal;
  }

  /** Once, when it comes onto the page. */
  start() {}

  /** What it looks like now. */
  template() {
    return html``;
  }

  /** Called instead of a new start when only the query has changed, of which most pages have none. */
  queryChanged() {}

  update(fields) {
    Object.assign(this, fields);
    if (!this.#drawing) {
      this.#drawing = true;
      queueMicrotask(() => this.draw());
    }
  }

  draw() {
    this.#drawing = false;
    if (this.isConnected) {
      render(html`${this.problem ? problem(this.problem, () => this.#tryAgain()) : ''}${this.template()}`, this, { host: this });
    }
  }

  /** Runs `load`, which returns fields; what goes wrong is shown. What comes of one that began before the last one is neither. */
  async load(load) {
    const signal = this.signal;
    const mine = { load };
    this.#last = mine;
    try {
      const fields = await load(signal);
      if (!signal.aborted && mine === this.#last) {
        this.update({ ...fields, problem: null });
      }
    } catch (failure) {
      if (signal.aborted || mine !== this.#last || failure.name === 'AbortError') {
        return;
      }
      if (!(failure instanceof Problem)) {
        console.error(failure);
      }
      this.update({ problem: failure });
    }
  }

  /** The button goes, so that its focus needs another place. */
  #tryAgain() {
    this.update({ problem: null });
    this.querySelector('h1')?.focus();
    return this.again();
  }

  /** What was loaded last once more, for it has changed. */
  again() {
    return this.load(this.#last.load);
  }

  /** The same, and again so long after each end, while the page is seen; less often when it takes the gateway long. */
  async poll(load, millis) {
    const signal = this.signal;
    this.#last = { load };
    while (!signal.aborted) {
      const began = performance.now();
      if (document.visibilityState === 'visible') {
        await this.again();
      }
      const took = performance.now() - began;
      await new Promise(resolve => setTimeout(resolve, Math.max(millis, Math.min(LONGEST_MILLIS, 4 * took))));
    }
  }
}
