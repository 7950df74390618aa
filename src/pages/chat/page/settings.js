import { h } from '../../shared/dom.ts';
import { createAppearance } from './appearance.js';
import { ask, openDialog } from './dialog.js';
import { passwordField } from './entrance.js';
import { checkNewPassword, createField, createForm, required } from './form.js';
import { explain } from './problems.js';

/** @typedef {import('./app.js').App} App */

/**
 * Opens the settings: profile, appearance, password, sign-out and account deletion.
 *
 * @param {App} app
 */
export function openSettings(app) {
  const { words, state } = app;
  const { t } = words;
  const dialog = openDialog({
    words,
    title: t('settings'),
    className: 'side',
    returnFocus: app.rest,
  });
  const { email = '' } = state().user ?? {};
  dialog.body.append(
    h('section', { class: 'part' }, h('h3', { text: t('profile') }), profile(app)),
    h('section', { class: 'part' }, h('h3', { text: t('appearance') }), createAppearance(app)),
    h('details', { class: 'part' }, h('summary', { text: t('changePassword') }), password(app)),
    h(
      'section',
      { class: 'part' },
      h('h3', { text: t('session') }),
      h('p', { class: 'hint' }, h('bdi', { text: email })),
      session(app),
    ),
    h('details', { class: 'part' }, h('summary', { text: t('deleteAccount') }), deletion(app)),
  );
  dialog.element.querySelector('h2')?.focus();
}

/** @param {App} app */
function profile({ client, words, state }) {
  const { t } = words;
  const { username = '', bio = '', avatar = '' } = state().user ?? {};
  const name = createField({
    label: t('name'),
    value: username,
    attributes: { autocomplete: 'name', maxlength: 64, required: true },
  });
  const about = createField({
    label: t('bio'),
    hint: t('bioHint'),
    value: bio,
    isLong: true,
    attributes: { maxlength: 500, rows: 2 },
  });
  const picture = createField({
    label: t('avatar'),
    hint: t('avatarHint'),
    value: avatar,
    attributes: { type: 'url', inputmode: 'url', maxlength: 2000, dir: 'ltr' },
  });
  const said = h('p', { class: 'said', role: 'status' });
  return createForm({
    fields: [name, about, picture],
    submit: t('save'),
    check: () => [
      ...required(name, t('needName')),
      ...(/^https?:\/\/\S+$/i.test(picture.input.value.trim())
        ? []
        : [/** @type {const} */ ([picture, t('wrongUrl')])]),
    ],
    send: async () => {
      said.textContent = '';
      await client.changeProfile(
        changesOf(
          { username, bio, avatar },
          {
            username: name.input.value.trim(),
            bio: about.input.value.trim(),
            avatar: picture.input.value.trim(),
          },
        ),
      );
      said.textContent = t('saved');
    },
    explain: (error) => ({ text: explain(error, words) }),
    children: [said],
  });
}

/**
 * Returns the changed fields. The name is always included, because the service rejects an empty change.
 *
 * @template {{ username: string }} Fields
 * @param {Fields} before
 * @param {Fields} now
 */
function changesOf(before, now) {
  const names = /** @type {(keyof Fields)[]} */ (Object.keys(now));
  const changed = names.filter((name) => name === 'username' || now[name] !== before[name]);
  return /** @type {Partial<Fields>} */ (
    Object.fromEntries(changed.map((name) => [name, now[name]]))
  );
}

/** @param {App} app */
function password(app) {
  const { client, words } = app;
  const { t } = words;
  const current = passwordField(app, 'currentPassword');
  const next = passwordField(app, 'newPassword');
  const said = h('p', { class: 'said', role: 'status' });
  return createForm({
    fields: [current, next],
    submit: t('changePassword'),
    className: '',
    check: () => {
      const problem = checkNewPassword(next.input.value, words);
      return [
        ...required(current, t('needPassword')),
        ...(problem ? [/** @type {const} */ ([next, problem])] : []),
      ];
    },
    send: async () => {
      said.textContent = '';
      await client.changePassword({
        currentPassword: current.input.value,
        newPassword: next.input.value,
      });
      current.input.value = '';
      next.input.value = '';
      said.textContent = t('passwordChanged');
    },
    explain: (error) => ({
      text: explain(error, words, { forbidden: 'wrongPassword' }),
      ...(error.code === 'forbidden' ? { field: current } : {}),
    }),
    children: [said],
  });
}

/** @param {App} app */
function session({ client, words, state }) {
  const { t } = words;
  const problem = h('p', { class: 'form-problem', role: 'alert', hidden: true });
  const signOut = async () => {
    const count = state().outbox.length;
    const question = { words, title: t('signOutQuestion'), yes: t('signOut') };
    if (count > 0 && !(await ask({ ...question, text: t('signOutUnsent', { count }) }))) return;
    await client.signOut().catch(() => {
      // The user is signed out of this browser even if the request fails.
    });
  };
  const signOutEverywhere = async () => {
    const isConfirmed = await ask({
      words,
      title: t('signOutEverywhereQuestion'),
      text: t('signOutEverywhereText'),
      yes: t('signOutEverywhere'),
    });
    if (!isConfirmed) return;
    try {
      await client.signOutEverywhere();
    } catch (error) {
      problem.textContent = explain(error, words);
      problem.hidden = false;
    }
  };
  return h(
    'div',
    { class: 'form' },
    problem,
    h(
      'div',
      { class: 'actions' },
      h('button', { class: 'button', type: 'button', onclick: signOut, text: t('signOut') }),
      h('button', {
        class: 'button',
        type: 'button',
        onclick: signOutEverywhere,
        text: t('signOutEverywhere'),
      }),
    ),
  );
}

/** @param {App} app */
function deletion(app) {
  const { client, words } = app;
  const { t } = words;
  const field = passwordField(app, 'password');
  const element = createForm({
    fields: [field],
    submit: t('deletePermanently'),
    className: 'danger',
    check: () => required(field, t('needPassword')),
    send: () => client.deleteAccount({ password: field.input.value }),
    explain: (error) => ({
      text: explain(error, words, { forbidden: 'wrongPassword' }),
      ...(error.code === 'forbidden' ? { field } : {}),
    }),
  });
  return h('div', {}, h('p', { class: 'hint', text: t('deleteText') }), element);
}
