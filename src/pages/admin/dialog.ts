import type { Child } from '../shared/dom.ts';
import { h } from '../shared/dom.ts';

interface DialogOptions {
  id?: string;
  /** read aloud together with the title */
  text?: string;
  wide?: boolean;
}

/**
 * Opens a modal dialog, which is removed when it is closed; the focus then returns to where it was. Leaving the view
 * also closes it.
 */
export function openDialog(
  title: string,
  content: (close: () => void) => Child,
  { id, text, wide = false }: DialogOptions = {},
) {
  const dialog = h(
    'dialog',
    {
      id,
      class: wide ? 'ask wide' : 'ask',
      'aria-label': title,
      'aria-describedby': text && 'dialog-text',
    },
    h('h2', { text: title }),
    text && h('p', { id: 'dialog-text', text }),
    content(() => dialog.close()),
  );
  document.body.append(dialog);
  const closed: Promise<void> = new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve();
    });
  });
  dialog.showModal();
  return { dialog, closed };
}
