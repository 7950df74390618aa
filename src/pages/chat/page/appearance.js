import { h } from '../../shared/dom.ts';
import { chooseTheme, storedTheme } from './preferences.js';
import { languages } from './words.js';

/** @typedef {import('./app.js').App} App */

let count = 0;

/**
 * Creates the fields for language and theme, which are available before and after sign-in.
 *
 * @param {App} app
 */
export function createAppearance({ words, setLanguage }) {
  const { t, language } = words;
  const themes = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') };
  return h(
    'div',
    { class: 'appearance' },
    choice(t('language'), 'language', languages, language, setLanguage),
    choice(t('theme'), 'theme', themes, storedTheme(), chooseTheme),
  );
}

/**
 * @template {string} Value
 * @param {string} label
 * @param {string} name
 * @param {Record<Value, string>} options
 * @param {Value} chosen
 * @param {(value: Value) => unknown} choose
 */
function choice(label, name, options, chosen, choose) {
  count += 1;
  const id = `choice-${count}`;
  const entries = /** @type {[Value, string][]} */ (Object.entries(options));
  /** @type {HTMLSelectElement} */
  const select = h(
    'select',
    {
      class: 'input',
      id,
      name,
      onchange: () => choose(/** @type {Value} */ (select.value)),
    },
    entries.map(([value, text]) =>
      h('option', {
        value,
        text,
        lang: name === 'language' ? value : null,
        selected: value === chosen,
      }),
    ),
  );
  return h('div', { class: 'field' }, h('label', { class: 'label', for: id, text: label }), select);
}
