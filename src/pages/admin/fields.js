import { h } from '../shared/dom.ts';
import { parsePrice } from '../shared/format.ts';
import { firstOf } from './checks.js';

/** @typedef {import('./api.js').Detail} Detail */
/** @typedef {import('./checks.js').Check} Check */
/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {HTMLElement} element
 * @property {() => unknown} raw what the reader typed, by which changes are noticed
 * @property {() => unknown} read what is sent
 * @property {(value: any) => void} show
 * @property {() => readonly Detail[]} problems what can be said before anything is sent
 * @property {(errors: readonly Detail[]) => HTMLElement | undefined} showErrors gives where to go
 */

/**
 * A one-line text field. `hint` and an error are tied to it for screen readers.
 *
 * @param {string} name
 * @param {string} label
 * @param {{ hint?: string, type?: string, checks?: readonly Check[] } & Record<string, unknown>} options
 */
export function textField(name, label, { hint, checks, type = 'text', ...attributes } = {}) {
  const control = h('input', { class: 'input', type, autocomplete: 'off', ...attributes });
  return inputField(name, label, control, { hint, checks });
}

/**
 * Text of several lines that grows with its content.
 *
 * @param {string} name
 * @param {string} label
 * @param {{ hint?: string, rows?: number, checks?: readonly Check[] }} options
 */
export function longTextField(name, label, { hint, rows = 4, checks } = {}) {
  return inputField(name, label, h('textarea', { class: 'input', rows }), { hint, checks });
}

/**
 * A price in tenge as people write it; what is no number is said here, before anything is sent.
 *
 * @param {string} name
 * @param {string} label
 * @returns {Field}
 */
export function priceField(name, label) {
  const field = textField(name, label, {
    inputmode: 'decimal',
    class: 'input short',
    checks: [priceFault],
  });
  return {
    ...field,
    read: () => parsePrice(field.raw()),
    show: (value) => field.show(String(value)),
  };
}

/** The most that the service takes, in tenge. */
const mostPrice = 90_000_000_000_000;

/** @type {Check} */
function priceFault(text) {
  const price = parsePrice(text);
  if (Number.isNaN(price)) {
    return 'Enter a number, such as 1850 or 99,50. Enter 0 if it costs nothing.';
  }
  if (price < 0) return 'A price must be 0 or more.';
  return price > mostPrice ? 'This is more than the service can store.' : undefined;
}

/**
 * A text field that suggests values in use but takes any.
 *
 * @param {string} name
 * @param {string} label
 * @param {readonly string[]} suggestions
 * @param {{ hint?: string, checks?: readonly Check[] }} options
 */
export function suggestField(name, label, suggestions, options) {
  const id = `${name}-suggestions`;
  const field = textField(name, label, { ...options, list: id });
  field.element.append(
    h(
      'datalist',
      { id },
      suggestions.map((value) => h('option', { value })),
    ),
  );
  return field;
}

/**
 * A yes or no as a switch.
 *
 * @param {string} name
 * @param {string} label
 * @param {string} hint
 * @returns {Field}
 */
export function switchField(name, label, hint) {
  const control = h('input', { type: 'checkbox', role: 'switch', class: 'switch' });
  const field = inputField(name, label, control, { hint });
  field.element.classList.add('switch-field');
  return {
    ...field,
    raw: () => control.checked,
    read: () => control.checked,
    show: (value) => {
      control.checked = value;
    },
  };
}

/**
 * One of a few values, all in view.
 *
 * @param {string} name
 * @param {string} label
 * @param {readonly { value: string, label: string }[]} choices
 * @returns {Field}
 */
export function choiceField(name, label, choices) {
  const inputs = choices.map(({ value }) => h('input', { type: 'radio', name, value }));
  const error = errorLine(name);
  const element = h(
    'fieldset',
    { class: 'field', 'aria-describedby': error.id },
    h('legend', { class: 'label', text: label }),
    h(
      'div',
      { class: 'choices' },
      choices.map((choice, index) =>
        h('label', { class: `choice ${name}-${choice.value}` }, inputs[index], choice.label),
      ),
    ),
    error,
  );
  const read = () => inputs.find(({ checked }) => checked)?.value;
  return {
    name,
    label,
    element,
    raw: read,
    read,
    show: (value) => {
      for (const input of inputs) input.checked = input.value === value;
    },
    problems: () => [],
    showErrors: (errors) => showMessages(error, inputs, errors),
  };
}

/**
 * One of a few values, in a list that opens.
 *
 * @param {string} name
 * @param {string} label
 * @param {readonly { value: string, label: string }[]} choices
 * @param {{ hint?: string }} options
 */
export function selectField(name, label, choices, { hint } = {}) {
  const control = h(
    'select',
    { class: 'input short' },
    choices.map((choice) => h('option', { value: choice.value, text: choice.label })),
  );
  return inputField(name, label, control, { hint });
}

/**
 * @param {string} name
 * @param {string} label
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 * @param {{ hint?: string | undefined, checks?: readonly Check[] | undefined }} options
 */
function inputField(name, label, control, { hint, checks = [] }) {
  const check = firstOf(checks);
  const error = errorLine(name);
  control.id = name;
  control.name = name;
  control.setAttribute('aria-describedby', hint ? `${name}-hint ${error.id}` : error.id);
  const element = h(
    'div',
    { class: 'field' },
    h('label', { class: 'label', for: name, text: label }),
    hint && h('p', { class: 'hint', id: `${name}-hint`, text: hint }),
    control,
    error,
  );
  return {
    name,
    label,
    control,
    element,
    raw: () => control.value,
    read: () => control.value,
    /** @param {string} value */
    show: (value) => {
      control.value = value;
    },
    problems: () => {
      const message = check(control.value);
      return message === undefined ? [] : [{ path: `/${name}`, message }];
    },
    /** @param {readonly Detail[]} errors */
    showErrors: (errors) => showMessages(error, [control], errors),
  };
}

/**
 * The line below a field that says what is wrong with it; hidden until there is something.
 *
 * @param {string} name
 */
export function errorLine(name) {
  return h('p', { class: 'error', id: `${name}-error`, hidden: true });
}

/**
 * Ties messages to their controls; gives the control to go to, or undefined where there are none.
 *
 * @param {HTMLElement} line
 * @param {readonly HTMLElement[]} controls
 * @param {readonly Detail[]} errors
 */
export function showMessages(line, controls, errors) {
  line.hidden = errors.length === 0;
  line.textContent = errors.map(({ message }) => asSentence(message)).join(' ');
  for (const control of controls) {
    if (errors.length > 0) control.setAttribute('aria-invalid', 'true');
    else control.removeAttribute('aria-invalid');
  }
  return errors.length > 0 ? controls[0] : undefined;
}

/**
 * The service's messages are fragments (`must be >= 0`); shown alone they read as sentences.
 *
 * @param {string} message
 */
function asSentence(message) {
  const text = message.charAt(0).toLocaleUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
