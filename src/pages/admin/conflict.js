import { h } from '../shared/dom.ts';
import { compareVersions } from './compare-versions.js';
import { openDialog } from './dialog.js';

/** @typedef {'mine' | 'theirs' | 'edit'} Choice */

/**
 * Somebody else has stored another version of what is being edited: shows both, field by field, and asks which one
 * counts. Escape is to edit further.
 *
 * @param {object} options
 * @param {readonly import('./fields.js').Field[]} options.fields
 * @param {object} options.base as it was when the form was opened
 * @param {object} options.mine what is typed and not saved
 * @param {object} options.theirs as it is stored now
 * @returns {Promise<Choice>}
 */
export async function askConflict({ fields, base, mine, theirs }) {
  const differences = compareVersions(
    fields.map(({ name, label }) => ({ name, label })),
    { base, mine, theirs },
  );
  /** @type {Choice} */
  let choice = 'edit';
  const { closed } = openDialog(
    'Somebody else has changed this meanwhile',
    (close) => {
      /** @param {Choice} value @param {string} text @param {string} [kind] */
      const button = (value, text, kind = '') =>
        h('button', {
          class: `button ${kind}`,
          type: 'button',
          autofocus: value === 'edit',
          onclick: () => {
            choice = value;
            close();
          },
          text,
        });
      return h(
        'div',
        { class: 'conflict' },
        h('p', {
          text: 'Nothing of yours is lost. Fields that only they have changed keep theirs in any case.',
        }),
        table(differences),
        h(
          'div',
          { class: 'ask-actions' },
          button('theirs', 'Take theirs'),
          button('mine', 'Save mine'),
          button('edit', 'Edit further', 'primary'),
        ),
      );
    },
    { wide: true },
  );
  await closed;
  return choice;
}

/** @param {readonly import('./compare-versions.js').Difference[]} differences */
function table(differences) {
  const head = ['Field', 'Yours', 'Theirs', 'Changed by'];
  return h(
    'div',
    { class: 'scrolled', tabindex: '0', role: 'region', 'aria-label': 'Both versions' },
    h(
      'table',
      { class: 'versions' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head.map((text) => h('th', { scope: 'col', text })),
        ),
      ),
      h(
        'tbody',
        {},
        differences.map(({ label, mine, theirs, by }) =>
          h(
            'tr',
            { class: by === 'both' ? 'clash' : null },
            h('th', { scope: 'row', text: label }),
            h('td', { class: 'version', text: mine }),
            h('td', { class: 'version', text: theirs }),
            h('td', { text: by === 'both' ? 'both of you' : by }),
          ),
        ),
      ),
    ),
  );
}
