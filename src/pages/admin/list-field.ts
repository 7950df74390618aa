import { h, icon } from '../shared/dom.ts';
import type { Detail } from './api.ts';
import { createChecks } from './checks.ts';
import type { Field } from './fields.ts';
import { errorLine, showMessages } from './fields.ts';
import type { Words } from './words/en.ts';

/**
 * A list of short texts. Enter adds a line below, Backspace removes an empty line; there are buttons for both. Empty
 * lines are not sent.
 */
export function listField(
  name: string,
  label: string,
  {
    words,
    hint,
    itemLabel,
    removeLabel,
    addLabel,
    limit,
    changed,
  }: {
    words: Words;
    hint: string;
    /** label of the line with this number */
    itemLabel: (number: number) => string;
    removeLabel: (number: number) => string;
    addLabel: string;
    limit: number;
    changed?: () => void;
  },
): Field {
  const check = createChecks(words).atMost(500);
  const list = h('ol', { class: 'lines', role: 'list' });
  const error = errorLine(name);
  const add = h('button', { class: 'button', type: 'button' }, icon('plus'), addLabel);
  const inputs = () => [...list.querySelectorAll('input')];

  const renumber = () => {
    inputs().forEach((input, index) => {
      input.setAttribute('aria-label', itemLabel(index + 1));
      input.nextElementSibling?.setAttribute('aria-label', removeLabel(index + 1));
    });
    add.hidden = inputs().length >= limit;
    changed?.();
  };
  const insert = (at: number) => {
    if (inputs().length >= limit) return;
    const line = lineOf('');
    list.insertBefore(line, list.children[at] ?? null);
    renumber();
    return line.querySelector('input');
  };
  const remove = (line: HTMLElement) => {
    const at = [...list.children].indexOf(line);
    line.remove();
    renumber();
    (inputs()[Math.max(0, at - 1)] ?? add).focus();
  };
  const lineOf = (value: string) => {
    const line = h('li', { class: 'line' });
    const onkeydown = (event: KeyboardEvent) => {
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
    show: (values: readonly string[]) => {
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

/** Shows each error at its line. `/features/2` counts only the lines that are sent, which are not empty. */
function showListErrors({
  name,
  error,
  errors,
  inputs,
  add,
}: {
  name: string;
  error: HTMLElement;
  errors: readonly Detail[];
  inputs: readonly HTMLInputElement[];
  add: HTMLElement;
}) {
  for (const input of inputs) setLineErrors(input, name, []);
  const sent = inputs.filter(({ value }) => value.trim() !== '');
  const atLine = (detail: Detail) => sent[Number(detail.path.split('/')[2] ?? Number.NaN)];
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

function setLineErrors(input: HTMLInputElement, name: string, errors: readonly Detail[]) {
  const item = input.parentElement as HTMLElement;
  const line = item.querySelector('.error') as HTMLElement;
  const items = [...(item.parentElement?.children ?? [])];
  line.id = `${name}-error-${items.indexOf(item)}`;
  if (errors.length > 0) input.setAttribute('aria-describedby', line.id);
  else input.removeAttribute('aria-describedby');
  return showMessages(line, [input], errors) !== undefined;
}
