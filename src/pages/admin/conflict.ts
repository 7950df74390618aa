import { h } from '../shared/dom.ts';
import type { Difference } from './compare-versions.ts';
import { compareVersions } from './compare-versions.ts';
import { openDialog } from './dialog.ts';
import type { Field } from './fields.ts';
import type { Words } from './words/en.ts';

type Choice = 'mine' | 'theirs' | 'edit';

/**
 * Asks which version to keep after somebody else has stored another one, and shows both, field by field. Escape
 * continues the editing.
 */
export async function askConflict({
  words,
  fields,
  base,
  mine,
  theirs,
}: {
  words: Words;
  fields: readonly Field[];
  /** the version when the form was opened */
  base: object;
  /** the unsaved changes */
  mine: object;
  /** the version that is stored now */
  theirs: object;
}): Promise<Choice> {
  const differences = compareVersions(
    fields.map(({ name, label }) => ({ name, label })),
    { base, mine, theirs },
    words,
  );
  const { conflict } = words;
  let choice: Choice = 'edit';
  const { closed } = openDialog(
    conflict.title,
    (close) => {
      const button = (value: Choice, text: string, kind: string = '') =>
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
        h('p', { text: conflict.text }),
        table(differences, conflict),
        h(
          'div',
          { class: 'ask-actions' },
          button('theirs', conflict.useTheirs),
          button('mine', conflict.saveMine),
          button('edit', words.leave.no, 'primary'),
        ),
      );
    },
    { wide: true },
  );
  await closed;
  return choice;
}

function table(differences: readonly Difference[], words: Words['conflict']) {
  const head = [words.field, words.yours, words.theirs, words.changedBy];
  const changers = { you: words.you, them: words.them, both: words.bothOfYou };
  return h(
    'div',
    { class: 'scrolled', tabindex: '0', role: 'region', 'aria-label': words.title },
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
            h('td', { text: changers[by] }),
          ),
        ),
      ),
    ),
  );
}
