import { h } from '../../shared/dom.ts';
import { icon } from './icons.js';

/** @typedef {import('./words.js').Words} Words */
/** @typedef {{ element: HTMLDialogElement, body: HTMLElement, close: () => void }} Dialog */

let count = 0;

/**
 * Opens a modal dialog, which is removed when it closes. It closes on Escape, its close button or a click outside. The
 * focus then returns to the previous element. If that element was removed, `returnFocus` moves the focus.
 *
 * @param {object} options
 * @param {Words} options.words
 * @param {string} options.title
 * @param {string} [options.className]
 * @param {() => unknown} [options.onClose]
 * @param {() => unknown} [options.returnFocus]
 * @returns {Dialog}
 */
export function openDialog({ words, title, className = '', onClose, returnFocus }) {
  count += 1;
  const id = `dialog-${count}-title`;
  const opener = document.activeElement;
  const body = h('div', { class: 'dialog-body' });
  /** @type {HTMLDialogElement} */
  const element = h(
    'dialog',
    { class: `sheet ${className}`, 'aria-labelledby': id },
    h(
      'div',
      { class: 'dialog-head' },
      h('h2', { id, tabindex: '-1', dir: 'auto', text: title }),
      h(
        'button',
        {
          class: 'icon-button',
          type: 'button',
          'aria-label': words.t('close'),
          title: words.t('close'),
          onclick: () => element.close(),
        },
        icon('close'),
      ),
    ),
    body,
  );
  // A click that began inside the dialog, for example to select text, does not close it.
  let pressedOutside = false;
  element.addEventListener('pointerdown', ({ target }) => {
    pressedOutside = target === element;
  });
  element.addEventListener('click', ({ target }) => {
    if (target === element && pressedOutside) element.close();
  });
  element.addEventListener('close', () => {
    element.remove();
    onClose?.();
    // Either the browser has restored the focus or the user has moved it.
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    if (opener instanceof HTMLElement && opener.isConnected && isShown(opener)) opener.focus();
    else returnFocus?.();
  });
  document.body.append(element);
  element.showModal();
  return { element, body, close: () => element.close() };
}

/** @param {HTMLElement} element */
function isShown(element) {
  return element !== document.body && element.getClientRects().length > 0;
}

/**
 * Asks a question and returns whether the answer was yes. Escape means no.
 *
 * @param {object} question
 * @param {Words} question.words
 * @param {string} question.title
 * @param {string} question.text
 * @param {string} question.yes
 * @returns {Promise<boolean>}
 */
export function ask({ words, title, text, yes }) {
  return new Promise((resolve) => {
    let answer = false;
    const { element, body, close } = openDialog({
      words,
      title,
      className: 'question',
      onClose: () => resolve(answer),
    });
    const cancel = h('button', {
      class: 'button',
      type: 'button',
      onclick: close,
      text: words.t('cancel'),
    });
    body.append(
      h('p', { id: `${element.getAttribute('aria-labelledby')}-text`, text }),
      h(
        'div',
        { class: 'actions' },
        cancel,
        h('button', {
          class: 'button danger',
          type: 'button',
          onclick: () => {
            answer = true;
            close();
          },
          text: yes,
        }),
      ),
    );
    element.setAttribute('aria-describedby', `${element.getAttribute('aria-labelledby')}-text`);
    cancel.focus();
  });
}

/** Closes all dialogs, because the page behind them has changed. */
export function closeDialogs() {
  for (const dialog of [...document.querySelectorAll('dialog')].reverse()) dialog.close();
}
