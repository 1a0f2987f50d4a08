import { html, nothing } from '../lib.js';
import { get } from '../api.js';
import { bytes, duration, number } from '../formats.js';
import { View } from '../view.js';
import { badge, copyButton, facts, pageHead, panel, pending, table, text, when } from '../widgets.js';

const EVERY_MILLIS = 5000;

const ENDPOINTS = [
  { name: 'Endpoint', of: endpoint => html`${text(endpoint.name)}<span class="under"><code>${text(endpoint.path)}</code></span>` },
  { name: 'Header', of: endpoint => html`<code>${text(endpoint.signatureHeader)}</code>` },
  { name: 'Secrets', kind: 'number', of: endpoint => number(endpoint.secrets) },
  { name: 'Accepted', kind: 'number', of: endpoint => number(endpoint.accepted) },
  { name: 'Duplicates', kind: 'number', of: endpoint => number(endpoint.duplicates) },
  { name: 'Refused', kind: 'wide', of: endpoint => {
    const causes = Object.entries(endpoint.refused).filter(([, amount]) => amount > 0);
    return causes.length ? causes.map(([cause, amount]) => html`${text(cause)} ${number(amount)} `) : html`<span class="muted">none</span>`;
  } },
  { name: 'Last accepted', of: endpoint => when(endpoint.lastAcceptedAt) },
];

const CONDITIONS = [
  { name: 'Condition', of: condition => text(condition.name) },
  { name: 'State', of: condition => (condition.holds ? badge('holds', 'good') : badge('does not hold', condition.required ? 'bad' : 'warning')) },
  { name: 'Required', kind: 'wide', of: condition => (condition.required ? 'yes' : 'no') },
];

/** The gateway itself: readiness, disk, endpoints and the configuration in force. */
class Gateway extends View {
  gateway = null;
  endpoints = [];

  start() {
    this.poll(async signal => {
      const [gateway, { endpoints }] = await Promise.all([get('/gateway', {}, signal), get('/endpoints', {}, signal)]);
      return { gateway, endpoints };
    }, EVERY_MILLIS);
  }

  template() {
    const { gateway } = this;
    return html`
      ${pageHead('Gateway', gateway ? html`Version ${text(gateway.version)}, up for ${duration((Date.now() - new Date(gateway.upSince)) / 1000)}` : html`&nbsp;`, gateway ? badge(gateway.ready ? 'ready' : 'not ready') : nothing)}
      ${gateway ? html`
        ${gateway.notices.length ? html`<div class="notice warning"><ul>${gateway.notices.map(notice => html`<li>${text(notice, 2000)}</li>`)}</ul></div>` : nothing}
        <div class="columns">
          ${panel('About', facts([
    ['Version', text(gateway.version)],
    ['Commit', html`<code>${text(gateway.commit)}</code>`],
    ['Java', text(gateway.java)],
    ['Up since', when(gateway.upSince)],
    ['Ports', `pushes ${gateway.ports.receiver}, management ${gateway.ports.management}`],
  ]))}
          ${panel('Disk', this.disk())}
          ${panel('Journal', facts([
    ['First position', number(gateway.journal.firstSeq)],
    ['Last position', number(gateway.journal.lastSeq)],
    ['Size', bytes(gateway.journal.size)],
  ]))}
        </div>
        ${panel('Readiness', table(CONDITIONS, gateway.conditions, 'Conditions of readiness'))}
        ${panel('Endpoints', table(ENDPOINTS, this.endpoints, 'Endpoints'))}
        ${panel('Configuration', this.configuration(), copyButton(gateway.configuration.effective, 'Copy'))}` : this.problem ? nothing : pending(12)}`;
  }

  disk() {
    const { free, size, reserve, setAside, step } = this.gateway.disk;
    const known = free >= 0;
    return html`
      ${known ? html`<meter class="disk" min="0" max=${size} .value=${size - free} .high=${size * 0.8} .low=${size * 0.6} .optimum=${0} aria-label="Disk in use"></meter>` : nothing}
      ${facts([
    ['Free', known ? `${bytes(free)} of ${bytes(size)}` : 'unknown: the disk does not say'],
    ['Reserve', bytes(reserve)],
    ['Set aside', bytes(setAside)],
    ['Disk ladder', step === 0 ? 'at the bottom' : badge(`step ${step} of 4`, 'bad')],
  ])}`;
  }

  configuration() {
    const { effective, reload } = this.gateway.configuration;
    return html`
      ${reload ? html`<div class="notice ${reload.accepted ? 'neutral' : 'bad'}">
        <p>${reload.accepted ? 'Taken up' : 'A changed file was not taken'} ${when(reload.at)}.</p>
        ${reload.problems.length ? html`<ul>${reload.problems.map(problem => html`<li>${text(problem, 2000)}</li>`)}</ul>` : nothing}
        ${reload.needsRestart.length ? html`<p>These wait for a restart: ${reload.needsRestart.map(key => html`<code>${text(key)}</code> `)}</p>` : nothing}
      </div>` : nothing}
      <pre class="body" tabindex="0" role="region" aria-label="Effective configuration">${text(effective, 200_000)}</pre>`;
  }
}

customElements.define('hf-gateway', Gateway);
