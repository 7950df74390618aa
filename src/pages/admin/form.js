import { h } from '../shared/dom.ts';
import { askConflict } from './conflict.js';
import { faultSummary } from './fault-summary.js';

/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./fields.js').Detail} Detail */

/**
 * A form over fields. `save(values, saved)` gets what has changed (everything, where `whole`) and calls `saved` once it
 * is stored; whatever it throws is shown: messages at their fields, the rest above them. Where it fails with status 412,
 * `reread` gives the thing as it is now, and the reader chooses between the two versions.
 *
 * @param {object} options
 * @param {readonly Field[]} options.fields
 * @param {object} options.values
 * @param {boolean} [options.whole]
 * @param {string} options.saveLabel
 * @param {HTMLElement} [options.cancel]
 * @param {(values: any, saved: () => void) => Promise<void>} options.save
 * @param {() => Promise<object>} [options.reread]
 * @param {(values: any) => void} [options.changed]
 * @param {HTMLElement} [options.preview]
 */
export function createForm({
  fields,
  values,
  whole = false,
  saveLabel,
  cancel,
  save,
  reread,
  changed,
  preview,
}) {
  /** @type {Record<string, unknown>} what the fields showed when the thing was as it is stored */
  let stored = {};
  /** @type {object} */
  let base = values;
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
  /** @param {Field} field */
  const isChanged = (field) => field.raw() !== stored[field.name];
  const isDirty = () => fields.some(isChanged);
  /** @param {boolean} all */
  const readValues = (all) =>
    Object.fromEntries(
      fields.filter((field) => all || isChanged(field)).map((field) => [field.name, field.read()]),
    );
  /** @param {Record<string, unknown>} raw */
  const settle = (raw) => {
    stored = raw;
    update();
  };
  /** @param {string} text */
  const say = (text) => {
    if (state.textContent !== text) state.textContent = text;
  };
  const update = () => {
    say(isDirty() ? 'Not saved yet' : '');
    changed?.(readValues(true));
  };
  /** @param {object} shown */
  const show = (shown) => {
    for (const field of fields) field.show(Reflect.get(shown, field.name));
  };

  /**
   * @param {readonly Detail[]} all
   * @param {string} fallback
   */
  const showDetails = (all, fallback) => {
    const { children, first } = faultSummary(fields, all, fallback);
    problem.replaceChildren(...children);
    problem.hidden = children.length === 0;
    first?.focus();
  };

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (saving) return;
    const problems = fields.flatMap((field) => field.problems());
    showDetails(problems, '');
    if (problems.length > 0) return;
    const body = readValues(whole);
    if (Object.keys(body).length === 0) {
      say('Nothing has changed');
      return;
    }
    await send(body);
  };

  /** @param {object} body */
  const send = async (body) => {
    setSaving(true);
    // What is typed while the answer is under way is not part of what was saved.
    const sent = rawValues();
    try {
      await save(body, () => settle(sent));
    } catch (error) {
      if (error.status === 412 && reread) await settleConflict(reread);
      else showDetails(error.details ?? [], error.message);
    } finally {
      setSaving(false);
    }
  };

  /** @param {() => Promise<object>} readAgain */
  const settleConflict = async (readAgain) => {
    /** @type {object} */
    let theirs;
    try {
      theirs = await readAgain();
    } catch (error) {
      showDetails([], `Somebody else has changed this, and it cannot be read. ${error.message}`);
      return;
    }
    const mine = readValues(false);
    const choice = await askConflict({ fields, base, mine, theirs });
    rebase(theirs, choice === 'theirs' ? {} : mine);
    if (choice !== 'mine') return saveButton.focus();
    // Theirs may say the same by now.
    if (isDirty()) await send(readValues(false));
  };

  /**
   * From here on the form changes their version; what was typed stays.
   *
   * @param {object} theirs
   * @param {object} mine
   */
  const rebase = (theirs, mine) => {
    base = theirs;
    show(theirs);
    stored = rawValues();
    show({ ...theirs, ...mine });
    update();
  };

  /** @param {boolean} value */
  const setSaving = (value) => {
    saving = value;
    saveButton.setAttribute('aria-disabled', String(value));
    saveButton.textContent = value ? 'Saving…' : saveLabel;
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
