import { h } from '../shared/dom.ts';
import { openDialog } from './dialog.ts';
import { textButton } from './parts.ts';
import type { Words } from './words/en.ts';

/** Shows a code for a new password, once, with instructions for its owner. */
export function showCode(
  { username, code, until }: { username: string; code: string; until: string },
  words: Words,
) {
  const { people } = words;
  const copied = h('p', { class: 'hint', role: 'status' });
  const field: HTMLInputElement = h('input', {
    class: 'input code',
    readonly: true,
    size: code.length,
    value: code,
    'aria-label': people.codeLabel,
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
    people.codeTitle(username),
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
        h('li', { text: people.step1(`${location.origin}/chat.html#reset`) }),
        h('li', { text: people.step2 }),
      ),
      h('div', { class: 'ask-actions' }, textButton(words.close, close)),
    ],
    { text: people.codeText(until) },
  );
}
