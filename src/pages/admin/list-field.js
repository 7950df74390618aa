import { h, icon } from '../shared/dom.ts';
import { atMost } from './checks.js';
import { errorLine, showMessages } from './fields.js';

/** @typedef {import('./fields.js').Detail} Detail */

const check = atMost(500);

/**
 * A list of short texts. Enter adds a line below, Backspace in an empty line removes it; there are
 * buttons for both. Empty lines are not sent.
 *
 * @param {string} name
 * @param {string} label
 * @param {object} options
 * @param {string} options.hint
 * @param {string} options.itemLabel
 * @param {string} options.addLabel
 * @param {number} options.limit
 * @param {() => void} [options.changed]
 * @returns {import('./fields.js').Field}
 */
export function listField(name, label, { hint, itemLabel, addLabel, limit, changed }) {
  const list = h('ol', { class: 'lines', role: 'list' });
  const error = errorLine(name);
  const add = h('button', { class: 'button', type: 'button' }, icon('plus'), addLabel);
  const inputs = () => [...list.querySelectorAll('input')];

  const renumber = () => {
    inputs().forEach((input, index) => {
      input.setAttribute('aria-label', `${itemLabel} ${index + 1}`);
      input.nextElementSibling?.setAttribute(
        'aria-label',
        `Remove ${itemLabel.toLowerCase()} ${index + 1}`,
      );
    });
    add.hidden = inputs().length >= limit;
    changed?.();
  };
  /** @param {number} at */
  const insert = (at) => {
    if (inputs().length >= limit) return;
    const line = lineOf('');
    list.insertBefore(line, list.children[at] ?? null);
    renumber();
    return line.querySelector('input');
  };
  /** @param {HTMLElement} line */
  const remove = (line) => {
    const at = [...list.children].indexOf(line);
    line.remove();
    renumber();
    (inputs()[Math.max(0, at - 1)] ?? add).focus();
  };
  /** @param {string} value */
  const lineOf = (value) => {
    const line = h('li', { class: 'line' });
    /** @param {KeyboardEvent} event */
    const onkeydown = (event) => {
      if (event.isComposing) return;
      if (event.key === 'Enter') {
        event.preventDefault();
        insert([...list.children].indexOf(line) + 1)?.focus();
      } else if (event.key === 'Backspace' && input.value === '') {
        event.preventDefault();
        remove(line);
      }
    };
    const input = h('input', {
      class: 'input',
      type: 'text',
      autocomplete: 'off',
      value,
      onkeydown,
    });
    line.append(
      input,
      h(
        'button',
        { class: 'icon-button', type: 'button', onclick: () => remove(line) },
        icon('close'),
      ),
      h('p', { class: 'error', hidden: true }),
    );
    return line;
  };
  add.addEventListener('click', () => insert(list.children.length)?.focus());

  const read = () =>
    inputs()
      .map(({ value }) => value.trim())
      .filter(Boolean);
  return {
    name,
    label,
    element: h(
      'fieldset',
      { class: 'field', 'aria-describedby': `${name}-hint ${error.id}` },
      h('legend', { class: 'label', text: label }),
      h('p', { class: 'hint', id: `${name}-hint`, text: hint }),
      list,
      add,
      error,
    ),
    raw: () => JSON.stringify(read()),
    read,
    /** @param {readonly string[]} values */
    show: (values) => {
      list.replaceChildren(...values.map(lineOf));
      renumber();
    },
    problems: () =>
      read().flatMap((text, index) => {
        const message = check(text);
        return message === undefined ? [] : [{ path: `/${name}/${index}`, message }];
      }),
    showErrors: (errors) => showListErrors({ name, error, errors, inputs: inputs(), add }),
  };
}

/**
 * `/features/2` counts lines that are sent, so empty ones are passed over.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {HTMLElement} options.error
 * @param {readonly Detail[]} options.errors
 * @param {readonly HTMLInputElement[]} options.inputs
 * @param {HTMLElement} options.add
 */
function showListErrors({ name, error, errors, inputs, add }) {
  for (const input of inputs) setLineErrors(input, name, []);
  const sent = inputs.filter(({ value }) => value.trim() !== '');
  /** @param {Detail} detail */
  const atLine = (detail) => sent[Number(detail.path.split('/')[2] ?? Number.NaN)];
  const whole = errors.filter((detail) => !atLine(detail));
  const found = sent.filter((input) =>
    setLineErrors(
      input,
      name,
      errors.filter((detail) => atLine(detail) === input),
    ),
  );
  return found[0] ?? showMessages(error, [add], whole);
}

/**
 * @param {HTMLInputElement} input
 * @param {string} name
 * @param {readonly Detail[]} errors
 */
function setLineErrors(input, name, errors) {
  const item = /** @type {HTMLElement} */ (input.parentElement);
  const line = /** @type {HTMLElement} */ (item.querySelector('.error'));
  const items = [...(item.parentElement?.children ?? [])];
  line.id = `${name}-error-${items.indexOf(item)}`;
  if (errors.length > 0) input.setAttribute('aria-describedby', line.id);
  else input.removeAttribute('aria-describedby');
  return showMessages(line, [input], errors) !== undefined;
}
