import { byId, h, icon } from '../shared/dom.ts';

/** @typedef {ReturnType<typeof createToast>} Toast */

/**
 * Asks a question in a modal dialog; resolves to whether the answer was yes. Escape is no.
 *
 * @param {{ title: string, text: string, yes: string, no?: string, danger?: boolean }} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no = 'Cancel', danger = true }) {
  /** @type {HTMLDialogElement} */
  const dialog = byId('ask');
  return new Promise((resolve) => {
    let answer = false;
    /** @param {boolean} value */
    const close = (value) => () => {
      answer = value;
      dialog.close();
    };
    dialog.replaceChildren(
      h('h2', { id: 'ask-title', text: title }),
      h('p', { id: 'ask-text', text }),
      h(
        'div',
        { class: 'ask-actions' },
        h('button', {
          class: 'button',
          type: 'button',
          autofocus: true,
          onclick: close(false),
          text: no,
        }),
        h('button', {
          class: danger ? 'button danger' : 'button primary',
          type: 'button',
          onclick: close(true),
          text: yes,
        }),
      ),
    );
    dialog.addEventListener('close', () => resolve(answer), { once: true });
    dialog.showModal();
  });
}

/**
 * Asks for the admin token; resolves to it, or to undefined when the reader would rather not.
 *
 * @param {boolean} wasRefused
 * @returns {Promise<string | undefined>}
 */
export function askForToken(wasRefused) {
  /** @type {HTMLDialogElement} */
  const dialog = byId('token');
  return new Promise((resolve) => {
    /** @type {string | undefined} */
    let token;
    const input = h('input', {
      class: 'input',
      id: 'token-input',
      type: 'password',
      autocomplete: 'off',
      autofocus: true,
      required: true,
      'aria-describedby': wasRefused ? 'token-error token-hint' : 'token-hint',
      'aria-invalid': wasRefused ? 'true' : null,
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      token = input.value.trim() || undefined;
      if (token) dialog.close();
      else input.focus();
    };
    dialog.replaceChildren(
      h('h2', { id: 'token-title', text: 'This site asks for its admin token' }),
      h(
        'form',
        { class: 'token-form', novalidate: true, onsubmit: submit },
        h('label', { class: 'label', for: 'token-input', text: 'Admin token' }),
        input,
        wasRefused &&
          h('p', { class: 'error', id: 'token-error', text: 'This token was not accepted.' }),
        h('p', {
          class: 'hint',
          id: 'token-hint',
          text: 'Whoever runs the server has set it. It is kept until you close this tab.',
        }),
        h(
          'div',
          { class: 'ask-actions' },
          h('button', {
            class: 'button',
            type: 'button',
            onclick: () => dialog.close(),
            text: 'Not now',
          }),
          h('button', { class: 'button primary', type: 'submit', text: 'Continue' }),
        ),
      ),
    );
    dialog.addEventListener('close', () => resolve(token), { once: true });
    dialog.showModal();
  });
}

/** Long enough to read a short sentence twice; messages with an action stay until they are answered. */
const toastTime = 7_000;

/**
 * The one line at the foot of the page that says what has just happened. With an `action` it stays
 * until it is answered or dismissed, and `focus` puts the keyboard on it.
 */
export function createToast() {
  const toast = byId('toast');
  const text = byId('toast-text');
  const button = byId('toast-action');
  const closeButton = byId('toast-close');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {(() => unknown) | undefined} */
  let run;

  const hide = () => {
    const hadFocus = toast.contains(document.activeElement);
    toast.hidden = true;
    text.textContent = '';
    if (hadFocus) byId('main').focus();
  };
  closeButton.append(icon('close'));
  closeButton.addEventListener('click', hide);
  button.addEventListener('click', () => {
    const action = run;
    hide();
    action?.();
  });

  return {
    hide,
    /**
     * @param {string} message
     * @param {{ action?: import('../shared/dom.ts').Action, failed?: boolean, focus?: boolean }} options
     */
    show(message, { action, failed = false, focus = false } = {}) {
      clearTimeout(timer);
      toast.hidden = false;
      toast.classList.toggle('failed', failed);
      text.textContent = message;
      button.hidden = !action;
      button.textContent = action?.label ?? '';
      run = action?.run;
      if (action && focus) button.focus();
      if (!action && !failed) timer = setTimeout(hide, toastTime);
    },
  };
}
