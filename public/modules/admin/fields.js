import { h } from '../dom.js';
import { parsePrice } from '../format.js';

/** @typedef {import('../api.js').Detail} Detail */
/**
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} element
 * @property {() => unknown} raw what the reader typed, by which changes are noticed
 * @property {() => unknown} read what is sent
 * @property {(value: any) => void} show
 * @property {() => string | undefined} problem
 * @property {(errors: readonly Detail[]) => HTMLElement | undefined} showErrors gives where to go
 */

/**
 * A one-line text field. `hint` and an error are tied to it for screen readers.
 *
 * @param {string} name
 * @param {string} label
 * @param {{ hint?: string, type?: string } & Record<string, unknown>} options
 */
export function textField(name, label, { hint, type = 'text', ...attributes } = {}) {
  const control = h('input', { class: 'input', type, autocomplete: 'off', ...attributes });
  return inputField(name, label, control, hint);
}

/**
 * Text of several lines that grows with its content.
 *
 * @param {string} name
 * @param {string} label
 * @param {{ hint?: string, rows?: number }} options
 */
export function longTextField(name, label, { hint, rows = 4 } = {}) {
  return inputField(name, label, h('textarea', { class: 'input', rows }), hint);
}

/**
 * A price in tenge as people write it; what is no number is said here, before anything is sent.
 *
 * @param {string} name
 * @param {string} label
 * @returns {Field}
 */
export function priceField(name, label) {
  const field = textField(name, label, { inputmode: 'decimal', class: 'input short' });
  return {
    ...field,
    read: () => parsePrice(field.raw()),
    show: (value) => field.show(String(value)),
    problem: () =>
      Number.isNaN(parsePrice(field.raw()))
        ? 'Enter a number, such as 1850 or 99,50. Enter 0 if it costs nothing.'
        : undefined,
  };
}

/**
 * A text field that suggests values in use but takes any.
 *
 * @param {string} name
 * @param {string} label
 * @param {readonly string[]} suggestions
 * @param {{ hint?: string }} options
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
  const field = inputField(name, label, control, hint);
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
    element,
    raw: read,
    read,
    show: (value) => {
      for (const input of inputs) input.checked = input.value === value;
    },
    problem: () => undefined,
    showErrors: (errors) => showMessages(error, inputs, errors),
  };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {HTMLInputElement | HTMLTextAreaElement} control
 * @param {string} [hint]
 */
function inputField(name, label, control, hint) {
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
    element,
    raw: () => control.value,
    read: () => control.value,
    /** @param {string} value */
    show: (value) => {
      control.value = value;
    },
    problem: () => undefined,
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
