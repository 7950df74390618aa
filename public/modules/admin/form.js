import { h } from '../dom.js';

/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./fields.js').Detail} Detail */

/**
 * A form over fields. `save(values, saved)` gets what has changed (everything, where `whole`) and
 * calls `saved` once it is stored; whatever it throws is shown: the service's messages at their fields, the rest above them.
 *
 * @param {object} options
 * @param {readonly Field[]} options.fields
 * @param {object} options.values
 * @param {boolean} [options.whole]
 * @param {string} options.saveLabel
 * @param {HTMLElement} [options.cancel]
 * @param {(values: object, saved: () => void) => Promise<void>} options.save
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
  changed,
  preview,
}) {
  /** @type {Record<string, unknown>} */
  let stored = {};
  let saving = false;
  const problem = h('div', { class: 'form-problem', role: 'alert', hidden: true });
  const saveButton = h('button', { class: 'button primary', type: 'submit', text: saveLabel });
  const state = h('p', { class: 'form-state', role: 'status' });

  const rawValues = () => Object.fromEntries(fields.map((field) => [field.name, field.raw()]));
  const isDirty = () => fields.some((field) => field.raw() !== stored[field.name]);
  /** @param {boolean} all */
  const readValues = (all) =>
    Object.fromEntries(
      fields
        .filter((field) => all || field.raw() !== stored[field.name])
        .map((field) => [field.name, field.read()]),
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
  /** @param {string} text */
  const showProblem = (text) => {
    problem.textContent = text;
    problem.hidden = text === '';
  };

  /**
   * @param {readonly Detail[]} all
   * @param {string} fallback
   */
  const showDetails = (all, fallback) => {
    const details = firstPerPlace(all);
    /** @type {(field: Field) => (detail: Detail) => boolean} */
    const named =
      ({ name }) =>
      ({ path }) =>
        path === `/${name}` || path.startsWith(`/${name}/`);
    const atFields = fields.map((field) => field.showErrors(details.filter(named(field))));
    const loose = details.filter((detail) => !fields.some((field) => named(field)(detail)));
    const count = details.length - loose.length;
    const first = atFields.find(Boolean);
    if (first) {
      showProblem([countText(count), ...loose.map(({ message }) => message)].join(' '));
      first.focus();
    } else
      showProblem([fallback, ...loose.map(({ message }) => message)].filter(Boolean).join(' '));
  };

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (saving) return;
    const problems = fields.flatMap((field) => {
      const message = field.problem();
      return message ? [{ path: `/${field.name}`, message }] : [];
    });
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
      showDetails(error.details ?? [], error.message);
    } finally {
      setSaving(false);
    }
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
  for (const field of fields) field.show(Reflect.get(values, field.name));
  settle(rawValues());
  return { element, isDirty, update };
}

/**
 * Several rules may be broken at one place; the first says enough to go on.
 *
 * @param {readonly Detail[]} details
 */
function firstPerPlace(details) {
  return details.filter(
    ({ path }, index) => details.findIndex((other) => other.path === path) === index,
  );
}

/** @param {number} count */
function countText(count) {
  return count === 1 ? 'One field needs your attention.' : `${count} fields need your attention.`;
}
