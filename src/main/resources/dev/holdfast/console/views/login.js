import { html, nothing } from '../lib.js';
import { get, token } from '../api.js';
import { View } from '../view.js';

/** Asks for the management token. Emits `login` once it is right. */
class Login extends View {
  failure = null;

  async logIn(event) {
    event.preventDefault();
    const given = this.querySelector('input').value.trim();
    if (/[^ -~]/.test(given)) {
      // A header can't have it, so the request would fail as if nothing answered.
      this.update({ failure: 'That has a character that no token has: expected visible ASCII only.' });
      return;
    }
    token.set(given);
    try {
      await get('/consumers');
      this.dispatchEvent(new Event('login'));
    } catch (failure) {
      token.clear();
      this.update({ failure: failure.status === 401 ? 'That is not the token of this gateway.' : failure.message });
    }
  }

  template() {
    return html`
      <section class="panel login">
        <h1 tabindex="-1">Log in</h1>
        <p class="muted">This gateway asks for its management token: <code>management.token</code> in its configuration. It is kept in this tab, until you close it or log out.</p>
        <form @submit=${event => this.logIn(event)}>
          <label class="field"><span>Management token</span>
            <input type="password" required autocomplete="off" spellcheck="false" aria-describedby="login-failure" aria-invalid=${String(this.failure !== null)}></label>
          <p id="login-failure" class="error-text" role="alert">${this.failure ?? nothing}</p>
          <button class="button primary">Log in</button>
        </form>
      </section>`;
  }
}

customElements.define('hf-login', Login);
