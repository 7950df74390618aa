import { h } from '../../shared/dom.ts';
import { createAppearance } from './appearance.js';
import { checkNewPassword, createField, createForm, looksLikeEmail, required } from './form.js';
import { read, write } from './preferences.js';
import { explain } from './problems.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {'sign-in' | 'sign-up' | 'reset'} FormName */

/**
 * Creates the page before sign-in: an introduction and a card with one form. The address selects the form, such as
 * `#sign-up`, so that each form can be linked to.
 *
 * @param {App} app
 */
export function createEntrance(app) {
  const { t } = app.words;
  const card = h('section', { class: 'card', 'aria-labelledby': 'card-title' });
  const said = h('div', { class: 'card-said', role: 'status' });
  const element = h(
    'div',
    { class: 'entrance hero' },
    h(
      'header',
      { class: 'hero-bar' },
      h(
        'a',
        { class: 'brand', href: '/' },
        h('img', { src: '/icon.svg', alt: '', width: 28, height: 28 }),
        h('span', { text: t('toTheSite') }),
      ),
    ),
    h(
      'main',
      { class: 'entrance-body', id: 'main', tabindex: '-1' },
      h(
        'div',
        { class: 'entrance-text' },
        h('h1', { text: t('chats') }),
        h('p', { class: 'hero-subtitle', text: t('introduction') }),
        h(
          'div',
          { class: 'entrance-niches', 'aria-hidden': 'true' },
          ['tea', 'hello', 'apricot'].map((name) =>
            h('img', { src: `/stickers/${name}.svg`, alt: '', width: 96, height: 112 }),
          ),
        ),
      ),
      h('div', { class: 'card-frame' }, said, card, createAppearance(app)),
    ),
    h('div', { class: 'ornament' }),
  );

  const forms = { 'sign-in': signIn, 'sign-up': signUp, reset };
  /** @type {keyof typeof forms | undefined} */
  let shown;

  const follow = () => {
    const name = location.hash.slice(1);
    const form = Object.hasOwn(forms, name)
      ? /** @type {keyof typeof forms} */ (name)
      : firstForm(app);
    if (form === shown) return;
    const hadFocus = shown !== undefined;
    shown = form;
    const { title, body } = forms[form](app);
    card.replaceChildren(
      ...(form === 'reset' ? [] : [tabs(app, form)]),
      h('h2', { id: 'card-title', class: 'card-title', tabindex: '-1', text: title }),
      ...body,
    );
    if (hadFocus) card.querySelector('input')?.focus();
  };

  return {
    element,
    follow,
    /** @param {import('../types.js').State} state */
    update: ({ endedElsewhere }) => {
      const text = endedElsewhere ? t('endedElsewhere') : '';
      if (said.textContent !== text) said.textContent = text;
    },
  };
}

/** Returns the sign-in form if somebody has signed in on this browser, or else the sign-up form. @param {App} app */
function firstForm({ state }) {
  return state().endedElsewhere || read(mark, '1') !== null ? 'sign-in' : 'sign-up';
}

const mark = 'chat-known';

/** Remembers that somebody has signed in on this browser, so that the sign-in form is shown first next time. */
export const rememberVisit = () => write(mark, '1');

/** @param {App} app @param {string} current */
function tabs({ words: { t } }, current) {
  /** @param {string} name @param {string} text */
  const link = (name, text) =>
    h('a', { href: `#${name}`, 'aria-current': name === current ? 'page' : null, text });
  return h(
    'nav',
    { class: 'card-tabs', 'aria-label': t('signIn') },
    link('sign-in', t('signIn')),
    link('sign-up', t('signUp')),
  );
}

/** @param {App} app */
function emailField({ words: { t } }) {
  return createField({
    label: t('email'),
    attributes: {
      type: 'email',
      name: 'email',
      autocomplete: 'username',
      inputmode: 'email',
      maxlength: 254,
      required: true,
      dir: 'ltr',
    },
  });
}

/**
 * @param {App} app
 * @param {'password' | 'newPassword' | 'currentPassword'} label
 */
export function passwordField({ words: { t } }, label, isNew = label === 'newPassword') {
  return createField({
    label: t(label),
    ...(isNew ? { hint: t('passwordHint') } : {}),
    attributes: {
      type: 'password',
      name: isNew ? 'new-password' : 'password',
      autocomplete: isNew ? 'new-password' : 'current-password',
      maxlength: 256,
      required: true,
      dir: 'ltr',
    },
  });
}

/** @param {App} app */
function signIn(app) {
  const { words, client } = app;
  const { t } = words;
  const email = emailField(app);
  const password = passwordField(app, 'password');
  const element = createForm({
    fields: [email, password],
    submit: t('signIn'),
    check: () => [...required(email, t('needEmail')), ...required(password, t('needPassword'))],
    send: () => client.signIn({ email: email.input.value.trim(), password: password.input.value }),
    explain: (error) => ({ text: explain(error, words, { unauthorized: 'wrongCredentials' }) }),
    children: [h('a', { class: 'card-link', href: '#reset', text: t('forgotten') })],
  });
  return { title: t('signInTitle'), body: [element] };
}

/** @param {App} app */
function signUp(app) {
  const { words, client } = app;
  const { t } = words;
  const name = createField({
    label: t('name'),
    hint: t('nameHint'),
    attributes: { name: 'name', autocomplete: 'name', maxlength: 64, required: true },
  });
  const email = emailField(app);
  const password = passwordField(app, 'password', true);
  const element = createForm({
    fields: [name, email, password],
    submit: t('signUp'),
    check: () => [
      ...required(name, t('needName')),
      ...checkEmail(app, email),
      ...checkPassword(app, password),
    ],
    send: () =>
      client.signUp({
        username: name.input.value.trim(),
        email: email.input.value.trim(),
        password: password.input.value,
      }),
    explain: (error) => ({
      text: explain(error, words),
      ...(error.code === 'email_taken' ? { field: email } : {}),
    }),
  });
  return { title: t('signUpTitle'), body: [element] };
}

/** @param {App} app */
function reset(app) {
  const { words, client } = app;
  const { t } = words;
  const email = emailField(app);
  const code = createField({
    label: t('code'),
    hint: t('codeHint'),
    attributes: {
      name: 'code',
      autocomplete: 'one-time-code',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: 100,
      required: true,
      dir: 'ltr',
    },
  });
  const password = passwordField(app, 'newPassword');
  const element = createForm({
    fields: [email, code, password],
    submit: t('setPassword'),
    check: () => [
      ...checkEmail(app, email),
      ...required(code, t('needCode')),
      ...checkPassword(app, password),
    ],
    send: () =>
      client.resetPassword({
        email: email.input.value.trim(),
        code: code.input.value.trim(),
        newPassword: password.input.value,
      }),
    explain: (error) => ({
      text: explain(error, words, { unauthorized: 'wrongCode' }),
      ...(error.code === 'unauthorized' ? { field: code } : {}),
    }),
  });
  return {
    title: t('resetTitle'),
    body: [
      h('p', { class: 'hint', text: t('resetText') }),
      element,
      h('a', { class: 'card-link', href: '#sign-in', text: t('backToSignIn') }),
    ],
  };
}

/** @param {App} app @param {import('./form.js').Field} field */
function checkEmail({ words: { t } }, field) {
  const isValid = looksLikeEmail(field.input.value);
  return isValid ? [] : [/** @type {const} */ ([field, t('needEmail')])];
}

/** @param {App} app @param {import('./form.js').Field} field */
function checkPassword({ words }, field) {
  const error = checkNewPassword(field.input.value, words);
  return error ? [/** @type {const} */ ([field, error])] : [];
}
