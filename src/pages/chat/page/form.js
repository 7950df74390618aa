import { h } from '../../shared/dom.ts';

/** @typedef {ReturnType<typeof createField>} Field */

let count = 0;

/**
 * Creates a labelled field with a hint and an error message.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {string} [options.hint]
 * @param {string} [options.value]
 * @param {boolean} [options.isLong] true for a field with several lines
 * @param {import('../../shared/dom.ts').Attributes} [options.attributes] attributes of the input
 */
export function createField({ label, hint, value = '', isLong = false, attributes = {} }) {
  count += 1;
  const id = `field-${count}`;
  const hintId = hint ? `${id}-hint` : '';
  const input = h(isLong ? 'textarea' : 'input', {
    class: 'input',
    id,
    value,
    dir: 'auto',
    'aria-describedby': hintId || null,
    ...attributes,
  });
  const error = h('p', { class: 'error', id: `${id}-error`, hidden: true });
  const element = h(
    'div',
    { class: 'field' },
    h('label', { class: 'label', for: id, text: label }),
    hint && h('p', { class: 'hint', id: hintId, text: hint }),
    input,
    error,
  );
  /** Shows an error, or removes it. @param {string} [text] */
  const setError = (text = '') => {
    error.textContent = text;
    error.hidden = text === '';
    const described = [hintId, text && error.id].filter(Boolean).join(' ');
    if (described) input.setAttribute('aria-describedby', described);
    else input.removeAttribute('aria-describedby');
    if (text) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  input.addEventListener('input', () => setError());
  return { element, input, setError };
}

/**
 * Creates a form that shows errors next to its fields, sends one request at a time, and explains failures.
 *
 * @param {object} options
 * @param {readonly Field[]} options.fields
 * @param {string} options.submit the text of the button
 * @param {string} [options.className] the class of the button
 * @param {() => readonly (readonly [Field, string])[]} options.check returns the errors by field
 * @param {() => Promise<unknown>} options.send
 * @param {(error: any) => { text: string, field?: Field }} options.explain
 * @param {readonly Node[]} [options.children] nodes between the fields and the button
 */
export function createForm({
  fields,
  submit,
  className = 'primary',
  check,
  send,
  explain,
  children = [],
}) {
  let isBusy = false;
  const problem = h('p', { class: 'form-problem', role: 'alert', hidden: true });
  const button = h('button', { class: `button ${className}`, type: 'submit', text: submit });
  /** @param {string} text */
  const setProblem = (text) => {
    problem.textContent = text;
    problem.hidden = text === '';
  };

  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setProblem('');
    const errors = check();
    for (const field of fields) field.setError(errors.find(([one]) => one === field)?.[1]);
    if (errors[0]) return errors[0][0].input.focus();
    isBusy = true;
    button.setAttribute('aria-disabled', 'true');
    try {
      await send();
    } catch (error) {
      const { text, field } = explain(error);
      if (field) {
        field.setError(text);
        field.input.focus();
      } else setProblem(text);
    } finally {
      isBusy = false;
      button.removeAttribute('aria-disabled');
    }
  };

  return h(
    'form',
    { class: 'form', novalidate: true, onsubmit },
    fields.map((field) => field.element),
    children,
    problem,
    h('div', { class: 'actions' }, button),
  );
}

/**
 * Returns an error if the field has no value, in the format of a form's `check`.
 *
 * @param {Field} field
 * @param {string} error
 * @returns {(readonly [Field, string])[]}
 */
export function required(field, error) {
  const { type, value } = field.input;
  // A password may consist of spaces only.
  return (type === 'password' ? value : value.trim()) ? [] : [[field, error]];
}

/** Minimum length of a password, in characters, as in the service. */
const minPasswordLength = 8;
/** Maximum length of a password, in bytes. The service's password hash ignores further bytes. */
const maxPasswordBytes = 72;

/**
 * Returns the error message for a new password; '' if the password is valid.
 *
 * @param {string} password
 * @param {import('./words.js').Words} words
 */
export function checkNewPassword(password, { t }) {
  if ([...password].length < minPasswordLength) return t('passwordShort');
  return new TextEncoder().encode(password).length > maxPasswordBytes ? t('passwordLong') : '';
}

/** Returns whether a text looks like an e-mail address. The service validates it. @param {string} email */
export function looksLikeEmail(email) {
  const [name, host = '', ...more] = email.trim().split('@');
  const isHost = host.includes('.', 1) && !host.endsWith('.');
  return Boolean(name) && isHost && more.length === 0 && !/\s/.test(email.trim());
}
