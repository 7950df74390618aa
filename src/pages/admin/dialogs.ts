import type { Action } from '../shared/dom.ts';
import { byId, h, icon } from '../shared/dom.ts';
import { openDialog } from './dialog.ts';
import type { GivenToken } from './session.ts';
import type { Words } from './words/en.ts';

export type Toast = ReturnType<typeof createToast>;

/** Asks a question in a modal dialog; resolves to true for yes. Escape means no. */
export async function ask({
  title,
  text,
  yes,
  no,
  danger = true,
}: {
  title: string;
  text: string;
  yes: string;
  no: string;
  danger?: boolean;
}): Promise<boolean> {
  let answer = false;
  const { closed } = openDialog(
    title,
    (close) =>
      h(
        'div',
        { class: 'ask-actions' },
        h('button', { class: 'button', type: 'button', autofocus: true, onclick: close, text: no }),
        h('button', {
          class: danger ? 'button danger' : 'button primary',
          type: 'button',
          onclick: () => {
            answer = true;
            close();
          },
          text: yes,
        }),
      ),
    { text },
  );
  await closed;
  return answer;
}

/** Asks for the admin token; resolves to undefined if the user declines. */
export async function askForToken(
  { token: words }: Words,
  wasRefused: boolean,
): Promise<GivenToken | undefined> {
  let token: string | undefined;
  const keep = h('input', { type: 'checkbox' });
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
  const { closed } = openDialog(
    words.title,
    (close) => {
      const submit = (event: Event) => {
        event.preventDefault();
        token = input.value.trim() || undefined;
        if (token) close();
        else input.focus();
      };
      return h(
        'form',
        { class: 'token-form', novalidate: true, onsubmit: submit },
        h('label', { class: 'label', for: 'token-input', text: words.label }),
        input,
        wasRefused && h('p', { class: 'error', id: 'token-error', text: words.refused }),
        h('p', { class: 'hint', id: 'token-hint', text: words.hint }),
        h('label', { class: 'check' }, keep, words.keep),
        h(
          'div',
          { class: 'ask-actions' },
          h('button', { class: 'button', type: 'button', onclick: close, text: words.later }),
          h('button', { class: 'button primary', type: 'submit', text: words.next }),
        ),
      );
    },
    { id: 'token' },
  );
  await closed;
  return token === undefined ? undefined : { token, isKept: keep.checked };
}

/** Milliseconds, long enough to read a short sentence twice; messages with an action stay until they are answered. */
const toastTime = 7_000;

/**
 * The line at the bottom of the page that says what has just happened. With an `action`, it stays until it is answered
 * or dismissed, and `focus` moves the focus to it.
 */
export function createToast() {
  const toast = byId('toast');
  const text = byId('toast-text');
  const button = byId('toast-action');
  const closeButton = byId('toast-close');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let run: (() => unknown) | undefined;

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
    show(
      message: string,
      {
        action,
        failed = false,
        focus = false,
      }: { action?: Action; failed?: boolean; focus?: boolean } = {},
    ) {
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
