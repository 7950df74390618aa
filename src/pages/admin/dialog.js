import { h } from '../shared/dom.ts';

/**
 * Opens a modal dialog that goes away with its content when it is closed; the focus goes back by itself to where it
 * was. Leaving the view closes it, too.
 *
 * @param {string} title
 * @param {(close: () => void) => import('../shared/dom.ts').Child} content
 * @param {{ wide?: boolean }} options
 */
export function openDialog(title, content, { wide = false } = {}) {
  const dialog = h('dialog', {
    class: wide ? 'ask wide' : 'ask',
    'aria-labelledby': 'dialog-title',
  });
  dialog.append(
    h('h2', { id: 'dialog-title', text: title }),
    /** @type {Node} */ (content(() => dialog.close())),
  );
  document.body.append(dialog);
  /** @type {Promise<void>} */
  const closed = new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve();
    });
  });
  dialog.showModal();
  return { dialog, closed };
}
