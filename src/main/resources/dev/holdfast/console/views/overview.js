import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { bytes, count, duration, millis, number, short } from '../formats.js';
import { Tail } from '../tail.js';
import { View } from '../view.js';
import { badge, empty, facts, pageHead, panel, pending, table, text, when } from '../widgets.js';
import '../plot.js';

const EVERY_MILLIS = 2000;
const NEWEST = 20;
/** Of the tap: more can't be read as they go by. */
const RATE = 5;
/** Of a plot: there are no colours for more. */
const LINES = 6;

const CONSUMERS = [
  { name: 'Consumer', of: consumer => html`<a href="#/consumers/${encodeURIComponent(consumer.name)}">${text(consumer.name)}</a>` },
  { name: 'State', of: consumer => badge(consumer.state) },
  { name: 'Lag', kind: 'number', of: consumer => number(consumer.lag ?? 0) },
  { name: 'Rate', kind: 'number', of: consumer => (consumer.rate === undefined ? '–' : short(consumer.rate) + ' /s') },
];

const PUSHES = [
  { name: 'Received', of: push => when(push.receivedAt) },
  { name: 'Event', of: push => html`<a href="#/pushes/${push.seq}">${text(push.event, 60)}</a>` },
  { name: 'Position', kind: 'number less', of: push => push.seq },
  { name: 'Enterprise', kind: 'less', of: push => text(push.enterprise, 40) },
  { name: 'Size', kind: 'number less', of: push => bytes(push.bytes) },
];

const last = values => values.at(-1) ?? 0;
const most = values => Math.max(0, ...values);

/** Those that were furthest behind, in the order of their names. */
const furthest = lines => {
  const chosen = [...lines].sort((a, b) => most(b.values) - most(a.values)).slice(0, LINES);
  return lines.filter(line => chosen.includes(line));
};

/** Is everything all right? */
class Overview extends View {
  overview = null;
  tail = new Tail(this, NEWEST, RATE);

  start() {
    this.poll(async signal => {
      const overview = await get('/overview', {}, signal);
      document.dispatchEvent(new CustomEvent('overview', { detail: overview }));
      // Drawn anew with each answer, and not with each push.
      return { overview, plotted: this.plots(overview) };
    }, EVERY_MILLIS);
    this.tail.follow({}, signal => get('/pushes', { limit: NEWEST }, signal));
  }

  template() {
    const { overview } = this;
    return html`
      ${pageHead('Overview', overview ? `Up for ${duration((new Date(overview.at) - new Date(overview.upSince)) / 1000)}` : html`&nbsp;`)}
      ${overview ? html`${this.problem ? nothing : this.verdict()} ${this.figures()} ${this.plotted}` : pending(12)}
      <div class="columns">
        ${overview ? panel('Consumers', overview.consumers.length ? table(CONSUMERS, overview.consumers, 'Consumers') : empty('No consumer yet', 'Pushes are kept until one is configured under consumers.')) : nothing}
        ${overview ? panel('Refused since the start', this.refusals()) : nothing}
        ${overview?.token ? panel('Access token', this.token()) : nothing}
      </div>
      ${this.newest()}`;
  }

  verdict() {
    const { summary, problems, ready } = this.overview;
    const tone = problems.some(problem => problem.severity === 'critical') || !ready ? 'bad' : problems.length ? 'warning' : 'good';
    return html`
      <section class="verdict ${tone}" aria-labelledby="verdict">
        <h2 id="verdict"><span class="lamp" aria-hidden="true"></span>${text(summary, 1000)}</h2>
        ${problems.length ? html`<ul>${problems.map(problem => html`
          <li>${badge(problem.severity)}<div><p>${text(problem.text, 1000)}</p><p class="muted">${text(problem.action, 1000)}</p></div></li>`)}</ul>` : nothing}
      </section>`;
  }

  figures() {
    const { rates, latency, disk, deadLetters, quarantine, totals } = this.overview;
    const figure = (name, value, more, href) => html`
      <div class="figure"><dt>${href ? html`<a href=${href}>${name}</a>` : name}</dt><dd>${value}</dd><dd class="more">${more}</dd></div>`;
    return html`<dl class="figures">
      ${figure('Accepted', html`${short(rates.accepted)}<small> /s</small>`, `${number(totals.accepted)} since the start`)}
      ${figure('Acknowledged in', latency.p50 === undefined ? '–' : millis(latency.p50), latency.p99 === undefined ? 'nothing came in' : `p99 ${millis(latency.p99)}, at most ${millis(latency.max)}`)}
      ${figure('Refused', html`${short(rates.refused)}<small> /s</small>`, `${number(Object.values(totals.refused).reduce((a, b) => a + b, 0))} since the start`)}
      ${figure('Disk free', ...(disk.free < 0 ? ['unknown', 'the disk does not say'] : [bytes(disk.free), `of ${bytes(disk.size)}, ${bytes(disk.reserve)} in reserve`]))}
      ${figure('Dead letters', number(deadLetters), deadLetters ? 'wait for you' : 'none', '#/dead-letters')}
      ${figure('Quarantine', number(quarantine), quarantine ? 'refused, kept' : 'none', '#/quarantine')}
    </dl>`;
  }

  plots({ history, disk }) {
    const { at } = history;
    const plot = (title, series, format, words) => panel(title,
      html`<hf-plot .data=${{ at, series, format, sizes: format === bytes, label: `${title}. ${words}` }}></hf-plot>`,
      series.length > 1 ? html`<ul class="legend">${series.map((line, i) => html`<li class="plot-${i + 1}">${text(line.name, 30)}</li>`)}</ul>` : nothing);
    const perSecond = value => short(value);
    const all = Object.entries(history.lag).map(([name, values]) => ({ name, values }));
    const lag = furthest(all);
    return html`<div class="plots">
      ${plot('Accepted a second', [{ name: 'accepted', values: history.accepted }, { name: 'refused', values: history.refused }], perSecond,
    `Now ${short(last(history.accepted))}, at most ${short(most(history.accepted))} in ten minutes.`)}
      ${plot('Acknowledgement latency', [{ name: 'p50', values: history.p50 }, { name: 'p99', values: history.p99 }], millis,
    `p99 now ${millis(last(history.p99))}, at most ${millis(most(history.p99))}.`)}
      ${plot(lag.length < all.length ? `Lag of the ${LINES} furthest behind` : 'Lag of each consumer', lag, value => short(value), lag.map(line => `${line.name}: ${count(last(line.values), 'position')}`).join(', ') + '.')}
      ${plot('Free disk', [{ name: 'free', values: history.diskFree }], bytes, `Now ${disk.free < 0 ? 'unknown' : bytes(disk.free)}.`)}
    </div>`;
  }

  refusals() {
    const causes = Object.entries(this.overview.totals.refused).filter(([, amount]) => amount > 0).sort((a, b) => b[1] - a[1]);
    if (!causes.length) {
      return empty('Nothing refused', 'Every request since the start was a push.');
    }
    const greatest = causes[0][1];
    return html`<ul class="bars">${causes.map(([cause, amount]) => html`
      <li><span>${text(cause)}</span><meter max=${greatest} value=${amount} aria-label="${cause}"></meter><span class="amount">${number(amount)}</span></li>`)}</ul>`;
  }

  token() {
    const { token } = this.overview;
    return facts([
      ['State', badge(token.state)],
      ['Scope', token.scope === undefined ? undefined : text(token.scope)],
      ['Expires', token.expiresAt === undefined ? undefined : html`${when(token.expiresAt)} <span class="muted">in ${duration(token.expiresInSeconds ?? 0)}</span>`],
      ['Store', token.store === undefined ? undefined : text(token.store)],
    ]);
  }

  newest() {
    const { pushes, dropped } = this.tail;
    return panel('Newest pushes',
      pushes === null ? pending() : pushes.length ? table(PUSHES, pushes, 'The last pushes', push => push.seq) : empty('No push yet', html`Send one: <code>holdfast simulate</code> plays the platform.`),
      html`<span class="muted sampled">${dropped ? `${short(dropped)} more came in, too fast to be shown` : 'as they come'}</span>`);
  }
}

customElements.define('hf-overview', Overview);
