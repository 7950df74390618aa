import { h } from '../shared/dom.ts';
import { openDialog } from './dialog.ts';
import { textButton } from './parts.ts';
import type { Words } from './words/en.ts';

interface ShownCode {
  title: string;
  /** what to know about the code */
  text: string;
  /** the name of the field with the code */
  label: string;
  code: string;
  /** what the person does with it */
  steps: readonly string[];
}

/** Shows a secret once, with a button to copy it and what to tell the person for whom it is. */
export function showCode({ title, text, label, code, steps }: ShownCode, words: Words) {
  const { people } = words;
  const copied = h('p', { class: 'hint', role: 'status' });
  const field: HTMLInputElement = h('input', {
    class: 'input code',
    readonly: true,
    size: code.length,
    value: code,
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
    onfocus: () => field.select(),
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      copied.textContent = people.copied;
    } catch {
      // Browsers only allow the clipboard on https pages and on localhost.
      field.focus();
      copied.textContent = people.copyByKey;
    }
  };
  openDialog(
    title,
    (close) => [
      h(
        'div',
        { class: 'code-line' },
        field,
        h('button', {
          class: 'button primary',
          type: 'button',
          autofocus: true,
          onclick: copy,
          text: people.copy,
        }),
      ),
      copied,
      h('p', { class: 'code-steps', text: people.tellThem }),
      h(
        'ol',
        { class: 'code-steps' },
        steps.map((step) => h('li', { text: step })),
      ),
      h('div', { class: 'ask-actions' }, textButton(words.close, close)),
    ],
    { text },
  );
}
