import { byId, h } from '../shared/dom.ts';

/**
 * Shows a code for a new password, this once, and what to say to the person whom it is for.
 *
 * @param {{ username: string, code: string, until: string }} made
 */
export function showCode({ username, code, until }) {
  /** @type {HTMLDialogElement} */
  const dialog = byId('ask');
  const copied = h('p', { class: 'hint', role: 'status' });
  /** @type {HTMLInputElement} */
  const field = h('input', {
    class: 'input code',
    readonly: true,
    size: code.length,
    value: code,
    'aria-label': 'Reset code',
    autocomplete: 'off',
    spellcheck: 'false',
    onfocus: () => field.select(),
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      copied.textContent = 'Copied.';
    } catch {
      // Browsers offer the clipboard to pages by https and on this machine only.
      field.focus();
      copied.textContent = 'It is marked: copy it with Ctrl+C.';
    }
  };
  dialog.replaceChildren(
    h('h2', { id: 'ask-title', text: `A code for ${username}` }),
    h('p', {
      id: 'ask-text',
      text: `It counts once, until ${until}, and is shown only here. Give it to nobody else: whoever has it and the e-mail address gets the account.`,
    }),
    h(
      'div',
      { class: 'code-line' },
      field,
      h('button', {
        class: 'button primary',
        type: 'button',
        autofocus: true,
        onclick: copy,
        text: 'Copy',
      }),
    ),
    copied,
    h('p', { class: 'code-steps', text: 'What to tell them:' }),
    h(
      'ol',
      { class: 'code-steps' },
      h('li', {
        text: `Open ${location.origin}/chat.html#reset (there is a link to it below the sign-in).`,
      }),
      h('li', { text: 'Enter your e-mail address, this code and a new password.' }),
    ),
    h(
      'div',
      { class: 'ask-actions' },
      h('button', {
        class: 'button',
        type: 'button',
        onclick: () => dialog.close(),
        text: 'Done',
      }),
    ),
  );
  // The code does not stay in the page.
  dialog.addEventListener('close', () => dialog.replaceChildren(), { once: true });
  dialog.showModal();
}
