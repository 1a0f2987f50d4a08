// The frame: navigation, routes, theme, login. A page is a line in PAGES and a module under views.
import { html, nothing, render } from './lib.js';
import { get, session, token } from './api.js';
import { said } from './dialog.js';
import { short } from './formats.js';
import './views/audit.js';
import './views/consumer.js';
import './views/consumers.js';
import './views/dead-letter.js';
import './views/dead-letters.js';
import './views/gateway.js';
import './views/ledger.js';
import './views/login.js';
import './views/overview.js';
import './views/push.js';
import './views/pushes.js';
import './views/quarantine.js';
import './views/quarantined.js';
import './views/replays.js';

/** In the order of the navigation; those without a name are reached from others. `count` is of the overview. */
const PAGES = [
  { path: '', view: 'hf-overview', name: 'Overview', icon: 'M3 12h4l3-8 4 16 3-8h4' },
  { path: 'pushes', view: 'hf-pushes', name: 'Pushes', icon: 'M4 6h16M4 12h16M4 18h10' },
  { path: 'pushes/:seq', view: 'hf-push' },
  { path: 'consumers', view: 'hf-consumers', name: 'Consumers', icon: 'M5 12h10M11 7l5 5-5 5M20 5v14' },
  { path: 'consumers/:name', view: 'hf-consumer' },
  { path: 'dead-letters', view: 'hf-dead-letters', name: 'Dead letters', icon: 'M4 7h16v11H4zM4 7l8 6 8-6', count: 'deadLetters' },
  { path: 'dead-letters/:consumer/:seq', view: 'hf-dead-letter' },
  { path: 'quarantine', view: 'hf-quarantine', name: 'Quarantine', icon: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM12 8v5M12 16v.5', count: 'quarantine' },
  { path: 'quarantine/:id', view: 'hf-quarantined' },
  { path: 'replays', view: 'hf-replays', name: 'Replays', icon: 'M4 12a8 8 0 1 0 3-6M4 4v4h4' },
  { path: 'ledger', view: 'hf-ledger', name: 'Ledger', icon: 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3' },
  { path: 'audit', view: 'hf-audit', name: 'Audit', icon: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-5 4-6 8-6s7 1 8 6' },
  { path: 'gateway', view: 'hf-gateway', name: 'Gateway', icon: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h1M7 16h1' },
];
const THEME = 'holdfast-theme';
const COUNTS_MILLIS = 5000;

const state = { page: null, counts: null, menu: false, reachable: true, loggedOut: false };

/** One that somebody wrote by hand may be none. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function route() {
  const [written, search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  // With nothing behind its last slash it is the list's, not that of a page without a name.
  const path = written.replace(/\/+$/, '');
  const parts = path.split('/');
  for (const page of PAGES) {
    const names = page.path.split('/');
    if (names.length === parts.length && names.every((name, i) => name.startsWith(':') || name === parts[i])) {
      const params = {};
      names.forEach((name, i) => { if (name.startsWith(':')) params[name.slice(1)] = decoded(parts[i]); });
      return { page, params, path, query: Object.fromEntries(new URLSearchParams(search)) };
    }
  }
  return { page: PAGES[0], params: {}, path: '', query: {} };
}

/** Where the navigation has its mark: a page that has no name belongs to the one before it that has. */
const section = page => page.path.split('/')[0];

function show() {
  document.querySelector('dialog')?.close();
  const { page, params, path, query } = route();
  const main = document.getElementById('main');
  const same = state.path === path && main.firstElementChild?.localName === page.view;
  const first = !state.page;
  Object.assign(state, { page, path, menu: false });
  draw();
  if (same) {
    main.firstElementChild.query = query;
    main.firstElementChild.queryChanged();
    return;
  }
  const view = document.createElement(page.view);
  view.params = params;
  view.query = query;
  main.replaceChildren(view);
  document.title = (page.name ?? view.pageTitle ?? 'Page') + ' · Holdfast';
  scrollTo(0, 0);
  if (!first) {
    // Who can't see that the page has changed hears its heading.
    main.querySelector('h1')?.focus({ preventScroll: true });
  }
}

/** @param theme light, dark, or null for that of the system */
function setTheme(theme) {
  if (theme) {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(THEME, theme);
  } else {
    delete document.documentElement.dataset.theme;
  }
  document.dispatchEvent(new Event('theme'));
  draw();
}

const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

const toggleTheme = () => setTheme(isDark() ? 'light' : 'dark');

function logOut() {
  token.clear();
  denied();
}

function denied() {
  document.querySelector('dialog')?.close();
  state.loggedOut = true;
  draw();
  const main = document.getElementById('main');
  if (main.firstElementChild?.localName !== 'hf-login') {
    const login = document.createElement('hf-login');
    login.addEventListener('login', () => {
      state.loggedOut = false;
      state.path = undefined;
      show();
      recount();
    });
    main.replaceChildren(login);
    login.querySelector('input')?.focus();
  }
}

const icon = path => html`<svg viewBox="0 0 24 24" aria-hidden="true" class="icon"><path d=${path}></path></svg>`;

const link = page => {
  const count = page.count && state.counts ? state.counts[page.count] : 0;
  return html`<li>
    <a href="#/${page.path}" aria-current=${state.page && section(state.page) === page.path ? 'page' : nothing}>
      ${icon(page.icon)}<span>${page.name}</span>
      ${count > 0 ? html`<span class="count" aria-label="${count} kept">${short(count)}</span>` : nothing}
    </a>
  </li>`;
};

function frame() {
  return html`
    <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/"><img src="icon.svg" alt="" width="28" height="28"><span>Holdfast</span></a>
      <button class="button menu-button" aria-expanded=${String(state.menu)} aria-controls="nav" ?hidden=${state.loggedOut}
        @click=${() => { state.menu = !state.menu; draw(); }}>Menu</button>
    </header>
    <nav id="nav" aria-label="Main" class=${state.menu ? 'open' : ''} ?hidden=${state.loggedOut}>
      <ul>${PAGES.filter(page => page.name).map(link)}</ul>
      <div class="nav-foot">
        <button class="button quiet" @click=${toggleTheme}>${isDark() ? 'Light' : 'Dark'} theme</button>
        ${token.get() ? html`<button class="button quiet" @click=${logOut}>Log out</button>` : nothing}
        <p class="muted">${state.counts ? `Version ${state.counts.version}` : html`&nbsp;`}</p>
      </div>
    </nav>
    <main id="main" tabindex="-1"></main>
    <div class="notice bad unreachable" role="status" ?hidden=${state.reachable || state.loggedOut}>The gateway does not answer. Trying again…</div>
    <div id="toasts" role="status" aria-live="polite"></div>`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

function draw() {
  render(frame(), document.body);
}

/** What the navigation counts; also how it is noticed that the gateway is gone or back. */
async function recount() {
  // That page asks for itself, and says what it got.
  const told = state.page?.view === 'hf-overview' && state.counts && state.reachable;
  if (document.visibilityState !== 'visible' || state.loggedOut || told) {
    return;
  }
  try {
    state.counts = await get('/overview');
    state.reachable = true;
  } catch (failure) {
    state.reachable = failure.status !== 0;
  }
  draw();
}

function counted(event) {
  Object.assign(state, { counts: event.detail, reachable: true });
  draw();
}

document.body.replaceChildren();
setTheme(localStorage.getItem(THEME));
session.addEventListener('denied', denied);
addEventListener('hashchange', show);
document.addEventListener('acted', recount);
document.addEventListener('overview', counted);
// What fails in a dialog or while a page is loaded is said there; everything else here.
addEventListener('unhandledrejection', event => said(`That did not work. ${event.reason?.message ?? event.reason}`));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(localStorage.getItem(THEME)));
show();
(async () => {
  for (;;) {
    await recount();
    await new Promise(resolve => setTimeout(resolve, COUNTS_MILLIS));
  }
})();
