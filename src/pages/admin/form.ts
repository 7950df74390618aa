import { h } from '../shared/dom.ts';
import type { Detail } from './api.ts';
import { askConflict } from './conflict.ts';
import { explain, translateDetails } from './errors.ts';
import { faultSummary } from './fault-summary.ts';
import type { Field } from './fields.ts';
import type { Words } from './words/en.ts';

export interface FormOptions<Values extends object> {
  words: Words;
  fields: readonly Field[];
  values: Values;
  whole?: boolean;
  saveLabel: string;
  cancel?: HTMLElement;
  save: (values: Partial<Values>, saved: () => void) => Promise<void>;
  reread: () => Promise<Values>;
  changed?: (values: Values) => void;
  preview?: HTMLElement;
}

/**
 * A form of fields. `save(values, saved)` gets the changed values (all of them if `whole`) and calls `saved` once they
 * are stored. Errors of a field are shown beside it, all other errors above the fields. If it fails with status 412, `reread` returns
 * the current version, and the user chooses between the two.
 */
export function createForm<Values extends object>({
  words,
  fields,
  values,
  whole = false,
  saveLabel,
  cancel,
  save,
  reread,
  changed,
  preview,
}: FormOptions<Values>) {
  /** the raw values of the fields in the stored version */
  let stored: Record<string, unknown> = {};
  let base: object = values;
  let saving = false;
  const problem = h('div', { class: 'form-problem', role: 'alert', hidden: true });
  const saveButton = h('button', {
    class: 'button primary',
    type: 'submit',
    'aria-keyshortcuts': 'Control+S Meta+S',
    text: saveLabel,
  });
  const state = h('p', { class: 'form-state', role: 'status' });

  const rawValues = () => Object.fromEntries(fields.map((field) => [field.name, field.raw()]));
  const isChanged = (field: Field) => field.raw() !== stored[field.name];
  const isDirty = () => fields.some(isChanged);
  const read = (some: readonly Field[]) =>
    Object.fromEntries(some.map((field) => [field.name, field.read()]));
  /** The fields are named after the members of the values. */
  const readAll = () => read(fields) as Values;
  const readChanged = () => read(fields.filter(isChanged)) as Partial<Values>;
  const settle = (raw: Record<string, unknown>) => {
    stored = raw;
    update();
  };
  const say = (text: string) => {
    if (state.textContent !== text) state.textContent = text;
  };
  const update = () => {
    say(isDirty() ? words.notSaved : '');
    changed?.(readAll());
  };
  const show = (shown: object) => {
    for (const field of fields) field.show(Reflect.get(shown, field.name));
  };

  const showDetails = (all: readonly Detail[], fallback: string) => {
    const { children, first } = faultSummary(fields, all, fallback, words);
    problem.replaceChildren(...children);
    problem.hidden = children.length === 0;
    first?.focus();
  };

  const submit = async (event: Event) => {
    event.preventDefault();
    if (saving) return;
    const problems = fields.flatMap((field) => field.problems());
    showDetails(problems, '');
    if (problems.length > 0) return;
    const body = whole ? readAll() : readChanged();
    if (Object.keys(body).length === 0) {
      say(words.unchanged);
      return;
    }
    await send(body);
  };

  const send = async (body: Partial<Values>) => {
    setSaving(true);
    // What is typed while the request runs is not saved yet.
    const sent = rawValues();
    try {
      await save(body, () => settle(sent));
    } catch (error) {
      if (error.status === 412) await settleConflict();
      else showDetails(translateDetails(error.details ?? [], words), explain(error, words));
    } finally {
      setSaving(false);
    }
  };

  const settleConflict = async () => {
    let theirs: object;
    try {
      theirs = await reread();
    } catch (error) {
      showDetails([], `${words.errors.precondition_failed} ${explain(error, words)}`);
      return;
    }
    const mine = readChanged();
    const choice = await askConflict({ words, fields, base, mine, theirs });
    rebase(theirs, choice === 'theirs' ? {} : mine);
    if (choice !== 'mine') return saveButton.focus();
    // Their version may have the same values.
    if (isDirty()) await send(readChanged());
  };

  /** Makes the form edit their version, with the changes in `mine` applied to it. */
  const rebase = (theirs: object, mine: object) => {
    base = theirs;
    show(theirs);
    stored = rawValues();
    show({ ...theirs, ...mine });
    update();
  };

  const setSaving = (value: boolean) => {
    saving = value;
    saveButton.setAttribute('aria-disabled', String(value));
    saveButton.textContent = value ? words.saving : saveLabel;
  };

  const element = h(
    'form',
    { class: 'editor', novalidate: true, autocomplete: 'off', onsubmit: submit, oninput: update },
    h(
      'div',
      { class: 'editor-fields' },
      problem,
      fields.map((field) => field.element),
      h('div', { class: 'save-bar' }, saveButton, cancel, state),
    ),
    preview,
  );
  show(values);
  settle(rawValues());
  return { element, isDirty, update, save: () => element.requestSubmit() };
}
