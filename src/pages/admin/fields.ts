import { h } from '../shared/dom.ts';
import { parsePrice } from '../shared/format.ts';
import type { Detail } from './api.ts';
import type { Check } from './checks.ts';
import { firstOf } from './checks.ts';
import type { Words } from './words/en.ts';

export interface Field {
  name: string;
  label: string;
  element: HTMLElement;
  /** the typed value, which shows if the field has changed */
  raw: () => unknown;
  /** the value to send */
  read: () => unknown;
  show(value: unknown): void;
  /** errors that can be found before anything is sent */
  problems: () => readonly Detail[];
  /** returns the control to focus */
  showErrors: (errors: readonly Detail[]) => HTMLElement | undefined;
}

/** A one-line text field. `hint` and an error are linked to it for screen readers. */
export function textField(
  name: string,
  label: string,
  {
    hint,
    checks,
    type = 'text',
    ...attributes
  }: { hint?: string; type?: string; checks?: readonly Check[] } & Record<string, unknown> = {},
) {
  const control = h('input', { class: 'input', type, autocomplete: 'off', ...attributes });
  return inputField(name, label, control, { hint, checks });
}

/** A text field with several lines, which grows with its content. */
export function longTextField(
  name: string,
  label: string,
  { hint, rows = 4, checks }: { hint?: string; rows?: number; checks?: readonly Check[] } = {},
) {
  return inputField(name, label, h('textarea', { class: 'input', rows }), { hint, checks });
}

/** Creates a field for a typed price in tenge. An invalid number is reported before anything is sent. */
export function priceField(name: string, label: string, { faults }: Words): Field {
  const field = textField(name, label, {
    inputmode: 'decimal',
    class: 'input short',
    checks: [(text) => priceFault(text, faults)],
  });
  return {
    ...field,
    read: () => parsePrice(field.raw()),
    show: (value) => field.show(String(value)),
  };
}

/** The highest price that the service accepts, in tenge. */
const maxPrice = 90_000_000_000_000;

function priceFault(text: string, faults: Words['faults']): string | undefined {
  const price = parsePrice(text);
  if (Number.isNaN(price)) return faults.price;
  if (price < 0) return faults.negative;
  return price > maxPrice ? faults.tooHigh : undefined;
}

/** A text field that suggests values in use but accepts any. */
export function suggestField(
  name: string,
  label: string,
  suggestions: readonly string[],
  options: { hint?: string; checks?: readonly Check[] },
) {
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

/** A switch for yes or no. */
export function switchField(name: string, label: string, hint: string): Field {
  const control = h('input', { type: 'checkbox', role: 'switch', class: 'switch' });
  const field = inputField(name, label, control, { hint });
  field.element.classList.add('switch-field');
  return {
    ...field,
    raw: () => control.checked,
    read: () => control.checked,
    show: (value: boolean) => {
      control.checked = value;
    },
  };
}

/** A choice of a few values, all visible. */
export function choiceField(
  name: string,
  label: string,
  choices: readonly { value: string; label: string }[],
): Field {
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

/** A choice of a few values, in a drop-down list. */
export function selectField(
  name: string,
  label: string,
  choices: readonly { value: string; label: string }[],
  { hint }: { hint?: string } = {},
) {
  const control = h(
    'select',
    { class: 'input short' },
    choices.map((choice) => h('option', { value: choice.value, text: choice.label })),
  );
  return inputField(name, label, control, { hint });
}

function inputField(
  name: string,
  label: string,
  control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  { hint, checks = [] }: { hint?: string | undefined; checks?: readonly Check[] | undefined },
) {
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
    show: (value: string) => {
      control.value = value;
    },
    problems: () => {
      const message = check(control.value);
      return message === undefined ? [] : [{ path: `/${name}`, message }];
    },
    showErrors: (errors: readonly Detail[]) => showMessages(error, [control], errors),
  };
}

/** The line below a field for its error; hidden without an error. */
export function errorLine(name: string) {
  return h('p', { class: 'error', id: `${name}-error`, hidden: true });
}

/** Links messages to their controls; returns the control to focus, or undefined if there are no messages. */
export function showMessages(
  line: HTMLElement,
  controls: readonly HTMLElement[],
  errors: readonly Detail[],
) {
  line.hidden = errors.length === 0;
  line.textContent = errors.map(({ message }) => asSentence(message)).join(' ');
  for (const control of controls) {
    if (errors.length > 0) control.setAttribute('aria-invalid', 'true');
    else control.removeAttribute('aria-invalid');
  }
  return errors.length > 0 ? controls[0] : undefined;
}

/** Makes a sentence of a message in the service's form, such as `must be >= 0`. */
function asSentence(message: string) {
  const text = message.charAt(0).toLocaleUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
