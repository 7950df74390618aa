import { h } from '../../shared/dom.ts';
import { openDialog } from './dialog.js';
import { createField, createForm, required } from './form.js';
import { fold } from './names.js';
import { asPortrayed, createPagedList, lineOf, pageOf, whenTypingPauses } from './people.js';
import { explain } from './problems.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./dialog.js').Dialog} Dialog */
/** @typedef {import('../types.js').Person} Person */
/** @typedef {import('../types.js').Channel} Channel */

/**
 * Opens the dialog for a new chat: with a person, in a new group or channel, or in an existing channel.
 *
 * @param {App} app
 * @param {string} [query] the initial search for people
 */
export function openNewChat(app, query = '') {
  const { t } = app.words;
  const dialog = openDialog({
    words: app.words,
    title: t('newChat'),
    className: 'side',
    returnFocus: app.rest,
  });
  const done = (/** @type {number} */ chatId) => {
    app.go(chatId);
    dialog.close();
  };
  const panels = {
    people: () => people(app, done, query),
    newGroup: () => newChat(app, done, 'group'),
    newChannel: () => newChat(app, done, 'channel'),
    findChannels: () => channels(app, done),
  };
  const names = /** @type {(keyof typeof panels)[]} */ (Object.keys(panels));
  const panel = h('div', { class: 'tab-panel', role: 'tabpanel', id: 'new-chat-panel' });
  const tabs = names.map((name) =>
    h('button', {
      class: 'tab',
      type: 'button',
      role: 'tab',
      id: `tab-${name}`,
      'aria-controls': 'new-chat-panel',
      onclick: () => show(name),
      text: t(name),
    }),
  );
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': t('newChat') }, tabs);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = tabs.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (step === undefined || index === -1) return;
    event.preventDefault();
    const goal = tabs.at((index + step) % tabs.length);
    goal?.click();
    goal?.focus();
  });

  /** @param {keyof typeof panels} name */
  const show = (name) => {
    for (const tab of tabs) {
      const isChosen = tab.id === `tab-${name}`;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    panel.replaceChildren(...panels[name]());
  };
  dialog.body.append(list, panel);
  show('people');
  panel.querySelector('input')?.focus();
}

/** @param {App} app @param {(chatId: number) => void} done @param {string} query */
function people(app, done, query) {
  const { client, words, state } = app;
  const { t } = words;
  const field = createField({
    label: t('nameOfPerson'),
    hint: t('peopleHint'),
    value: query,
    attributes: { type: 'search', autocomplete: 'off', maxlength: 64 },
  });
  /** @param {Person} person */
  const row = (person) =>
    h(
      'button',
      {
        class: 'person',
        type: 'button',
        onclick: exclusive(
          async () => done((await client.createPrivate(person.id)).id),
          field,
          app,
        ),
      },
      lineOf(app, asPortrayed(person)),
    );
  const found = createPagedList(app, { row, label: t('people'), none: () => t('nobodyFound') });
  /** @param {string} text */
  const search = (text) =>
    found.show(async (after) =>
      pageOf(await client.searchPeople(text, after), ({ id }) => id !== state().user?.id),
    );
  whenTypingPauses(field.input, search);
  search(query);
  return [field.element, found.element];
}

/**
 * @param {App} app
 * @param {(chatId: number) => void} done
 * @param {'group' | 'channel'} type
 */
function newChat(app, done, type) {
  const { client, words } = app;
  const { t } = words;
  const isGroup = type === 'group';
  const name = createField({
    label: t(isGroup ? 'groupName' : 'channelName'),
    hint: t(isGroup ? 'groupHint' : 'channelHint'),
    attributes: { autocomplete: 'off', maxlength: 200, required: true },
  });
  return [
    createForm({
      fields: [name],
      submit: t(isGroup ? 'createGroup' : 'createChannel'),
      check: () => required(name, t('needChatName')),
      send: async () => {
        const text = name.input.value.trim();
        const { id } = await (isGroup ? client.createGroup(text) : client.createChannel(text));
        done(id);
      },
      explain: (error) => ({ text: explain(error, words) }),
    }),
  ];
}

/** @param {App} app @param {(chatId: number) => void} done */
function channels(app, done) {
  const { client, words, state } = app;
  const { t } = words;
  const field = createField({
    label: t('filterChannels'),
    attributes: { type: 'search', autocomplete: 'off', maxlength: 200 },
  });
  /** @param {Channel} channel */
  const row = (channel) => {
    const isKnown = state().chats?.some(({ id }) => id === channel.id) ?? false;
    const subscribe = async () => {
      if (!isKnown) await client.subscribeTo(channel.id);
      done(channel.id);
    };
    return h(
      'button',
      { class: 'person', type: 'button', onclick: exclusive(subscribe, field, app) },
      lineOf(
        app,
        { kind: 'chat', ...channel },
        !isKnown && h('span', { class: 'person-note', text: t('subscribe') }),
      ),
    );
  };
  /** @type {Promise<Channel[]> | undefined} */
  let known;
  const all = () => {
    known ??= client.listChannels();
    return known;
  };
  const found = createPagedList(app, {
    row,
    label: t('findChannels'),
    none: () => t(field.input.value.trim() ? 'noChannelFound' : 'noChannels'),
  });
  /** @param {string} text */
  const filter = (text) => {
    const search = fold(text);
    return found.show(async (after) => {
      const page = after === undefined ? await all() : await client.listChannels(after);
      return pageOf(page, ({ name }) => fold(name).includes(search));
    });
  };
  whenTypingPauses(field.input, filter);
  filter('');
  return [field.element, found.element];
}

/**
 * Returns a function that ignores calls while it is running, and shows failures at the field above the list.
 *
 * @param {() => Promise<unknown>} run
 * @param {import('./form.js').Field} field
 * @param {App} app
 */
function exclusive(run, field, { words }) {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await run();
    } catch (error) {
      field.setError(explain(error, words));
      field.input.focus();
    } finally {
      isBusy = false;
    }
  };
}
