import { tap } from './api.js';

const DRAW_MILLIS = 250;
const AGAIN_MILLIS = 3000;

/** The newest pushes of a view, kept up by the tap: so many at most, drawn a few times a second. */
export class Tail {
  /** Null until it is known which there are. */
  pushes = null;
  /** How many came in and were left out, for there were too many. */
  dropped = 0;
  #view;
  #kept;
  #rate;
  #stop = null;
  #waiting = [];

  constructor(view, kept, rate) {
    this.#view = view;
    this.#kept = kept;
    this.#rate = rate;
  }

  get following() {
    return this.#stop !== null;
  }

  /** What there was before, newest first; null where that isn't known. */
  begin(pushes) {
    this.pushes = pushes;
    this.dropped = 0;
  }

  /**
   * Follows until it is stopped or the view leaves the page; tries again when the connection ends. `newest` asks for the page of the
   * newest pushes that there are: what came before, or while there was no connection.
   */
  async follow(filters, newest) {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    const signal = AbortSignal.any([stop.signal, this.#view.signal]);
    const drawing = setInterval(() => this.#draw(), DRAW_MILLIS);
    while (!signal.aborted) {
      if (document.visibilityState === 'visible') {
        await this.#read(filters, newest, signal);
      }
      if (!signal.aborted) {
        await new Promise(resolve => setTimeout(resolve, AGAIN_MILLIS));
      }
    }
    clearInterval(drawing);
  }

  /** One connection, until it ends or nobody sees the page: a browser has few of them. */
  async #read(filters, newest, signal) {
    const connection = new AbortController();
    const hidden = () => document.visibilityState === 'hidden' && connection.abort();
    document.addEventListener('visibilitychange', hidden);
    const ended = AbortSignal.any([signal, connection.signal]);
    try {
      for await (const { event, data } of tap({ ...filters, rate: this.#rate }, ended)) {
        if (event === 'open') {
          this.#loadAgain(newest, ended);
        } else if (event === 'push') {
          this.#waiting.push(data);
        } else if (event === 'dropped') {
          this.dropped += data.count;
          this.#view.update({});
        }
      }
    } catch {
      // What keeps the page from working is said by what the page asks for besides.
      await this.#load(newest, signal).catch(() => {});
    }
    document.removeEventListener('visibilitychange', hidden);
  }

  /** Until it has succeeded once. */
  async #loadAgain(newest, signal) {
    while (!signal.aborted) {
      try {
        return await this.#load(newest, signal);
      } catch {
        await new Promise(resolve => setTimeout(resolve, AGAIN_MILLIS));
      }
    }
  }

  async #load(newest, signal) {
    const before = this.pushes ?? [];
    const { pushes, next } = await newest(signal);
    if (pushes.length ? pushes[0].seq < before[0]?.seq : !next) {
      // What was known is of another journal: the gateway has begun a new one.
      this.pushes = this.pushes?.filter(push => !before.includes(push)) ?? null;
    }
    this.#merge(pushes);
  }

  #merge(pushes) {
    const known = new Map([...this.pushes ?? [], ...pushes].map(push => [push.seq, push]));
    this.pushes = [...known.values()].sort((a, b) => b.seq - a.seq).slice(0, this.#kept);
    this.#view.update({});
  }

  stop() {
    this.#stop?.abort();
    this.#stop = null;
    this.#waiting = [];
  }

  #draw() {
    if (this.#waiting.length && document.visibilityState === 'visible') {
      this.#merge(this.#waiting.splice(0));
    }
    this.#waiting.splice(0, this.#waiting.length - this.#kept);
  }
}
