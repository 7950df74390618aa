import { h } from '../../shared/dom.ts';
import { createAvatar } from './avatar.js';
import { portraitOf, put, shownName } from './chat-list.js';
import { ask, openDialog } from './dialog.js';
import { createField, createForm, required } from './form.js';
import { asPortrayed, createPagedList, lineOf, pageOf, whenTypingPauses } from './people.js';
import { explain } from './problems.js';
import { subtitleOf } from './room-head.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./app.js').ListedChat} ListedChat */
/** @typedef {import('../types.js').Person} Person */

/**
 * Opens the details of a chat: a person's bio, a group's members, a channel's subscribers (only for its owner), and the
 * button to leave. The owner of a group can add and remove members and rename the group.
 *
 * @param {App} app
 * @param {ListedChat} chat
 */
export function openDetails(app, chat) {
  const { words, state } = app;
  const { t } = words;
  const userId = state().user?.id ?? 0;
  const isOwner = chat.ownerId === userId;
  const dialog = openDialog({
    words,
    title: shownName(app, chat),
    className: 'side',
    onClose: () => off(),
    returnFocus: app.rest,
  });
  const subtitle = h('p', { class: 'hint' });
  const avatar = createAvatar(portraitOf(chat, userId), 'large');
  dialog.body.append(h('div', { class: 'details-head' }, avatar.element, subtitle));
  const name = dialog.element.querySelector('h2');
  const said = h('p', { class: 'said', role: 'status' });
  const members =
    chat.type === 'group' || (chat.type === 'channel' && isOwner)
      ? memberList(app, chat, said, dialog.close)
      : undefined;

  /** Shows the current state of the chat. Closes the dialog if the chat has been removed. */
  const follow = () => {
    const now = state().chats?.find(({ id }) => id === chat.id);
    if (!now) return state().chats ? dialog.close() : undefined;
    put(subtitle, `${t(now.type)}${now.type === 'private' ? '' : `, ${subtitleOf(app, now)}`}`);
    if (name) put(name, shownName(app, now));
    avatar.show(portraitOf(now, userId));
    members?.update(now);
  };
  const off = app.client.subscribe(follow);

  if (chat.type === 'private') dialog.body.append(about(app, portraitOf(chat, userId).id));
  if (chat.type !== 'private' && isOwner) dialog.body.append(rename(app, chat, said));
  if (chat.type === 'group' && isOwner) dialog.body.append(addMember(app, chat, said));
  dialog.body.append(said);
  if (members) dialog.body.append(members.element);
  const leaving = leaveSection(app, chat, dialog.close);
  if (leaving) dialog.body.append(leaving);
  follow();
  name?.focus();
}

/** @param {App} app @param {number} userId */
function about({ client, words }, userId) {
  const { t } = words;
  const bio = h('p', { class: 'bio', dir: 'auto', text: t('loading') });
  client.person(userId).then(
    (person) => put(bio, person.bio || t('noBio')),
    (error) => put(bio, explain(error, words, { not_found: 'accountIsGone' })),
  );
  return h('section', { class: 'part' }, h('h3', { text: t('about') }), bio);
}

/** @param {App} app @param {ListedChat} chat @param {HTMLElement} said */
function rename({ client, words }, chat, said) {
  const { t } = words;
  const name = createField({
    label: t('newName'),
    value: chat.name,
    attributes: { autocomplete: 'off', maxlength: 200, required: true },
  });
  const element = createForm({
    fields: [name],
    submit: t('save'),
    className: '',
    check: () => required(name, t('needChatName')),
    send: async () => {
      await client.rename(chat.id, name.input.value.trim());
      put(said, t('saved'));
    },
    explain: (error) => ({ text: explain(error, words) }),
  });
  return h('details', { class: 'part' }, h('summary', { text: t('rename') }), element);
}

/** @param {App} app @param {ListedChat} chat @param {HTMLElement} said */
function addMember(app, chat, said) {
  const { client, words } = app;
  const { t } = words;
  const field = createField({
    label: t('nameOfPerson'),
    hint: t('peopleHint'),
    attributes: { type: 'search', autocomplete: 'off', maxlength: 64 },
  });
  const isMember = (/** @type {number} */ id) =>
    app
      .state()
      .chats?.find((one) => one.id === chat.id)
      ?.participants.includes(id) ?? false;
  /** @param {Person} person */
  const row = (person) => {
    const name = words.name(person.username, person.id);
    const button = h('button', {
      class: 'button small',
      type: 'button',
      'aria-label': t('addSomebody', { name }),
      text: t('add'),
    });
    button.addEventListener('click', async () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      button.setAttribute('aria-disabled', 'true');
      try {
        await client.addMember(chat.id, person.id);
        put(said, t('added', { name }));
        button.textContent = t('isMember');
      } catch (error) {
        button.removeAttribute('aria-disabled');
        put(said, explain(error, words));
      }
    });
    return h('div', { class: 'person still' }, lineOf(app, asPortrayed(person), button));
  };
  const found = createPagedList(app, { row, label: t('addMember'), none: () => t('nobodyFound') });
  /** @param {string} text */
  const search = (text) =>
    found.show(async (after) =>
      pageOf(await client.searchPeople(text, after), ({ id }) => !isMember(id)),
    );
  whenTypingPauses(field.input, search);
  const element = h(
    'details',
    { class: 'part', open: chat.participantCount === 1 },
    h('summary', { text: t('addMember') }),
    field.element,
    found.element,
  );
  element.addEventListener('toggle', () => {
    if (element.open) search(field.input.value.trim());
  });
  return element;
}

/**
 * @param {App} app
 * @param {ListedChat} chat
 * @param {HTMLElement} said
 * @param {() => void} close
 */
function memberList(app, chat, said, close) {
  const { client, words, state } = app;
  const { t } = words;
  const userId = state().user?.id;
  const isOwner = chat.ownerId === userId;
  let ownerId = chat.ownerId;

  /** @param {Person} person */
  const row = (person) => {
    const name = words.name(person.username, person.id);
    const isTheOwner = person.id === ownerId;
    const canRemove = isOwner && chat.type === 'group' && !isTheOwner;
    return h(
      'div',
      { class: 'person still' },
      person.id === userId
        ? lineOf(app, asPortrayed(person))
        : h(
            'button',
            {
              class: 'person-main',
              type: 'button',
              'aria-label': t('writeTo', { name }),
              title: t('writeTo', { name }),
              onclick: () => write(person.id),
            },
            lineOf(app, asPortrayed(person)),
          ),
      isTheOwner && h('span', { class: 'person-note', text: t('owner') }),
      canRemove &&
        h('button', {
          class: 'button small',
          type: 'button',
          'aria-label': t('removeSomebody', { name }),
          onclick: () => remove(person.id, name),
          text: t('remove'),
        }),
    );
  };

  /** @param {number} id */
  const write = async (id) => {
    try {
      app.go((await client.createPrivate(id)).id);
      close();
    } catch (error) {
      put(said, explain(error, words));
    }
  };

  /** @param {number} id @param {string} name */
  const remove = async (id, name) => {
    const isConfirmed = await ask({
      words,
      title: t('removeQuestion', { name }),
      text: t('removeText'),
      yes: t('remove'),
    });
    if (!isConfirmed) return;
    try {
      await client.removeMember(chat.id, id);
      put(said, t('removed', { name }));
    } catch (error) {
      put(said, explain(error, words));
    }
    title.focus();
  };

  const label = t(chat.type === 'channel' ? 'subscriberList' : 'memberList');
  const title = h('h3', { tabindex: '-1', text: label });
  const list = createPagedList(app, { row, label, none: () => '' });
  let seen = '';
  return {
    element: h('section', { class: 'part' }, title, list.element),
    /** @param {ListedChat} now */
    update: (now) => {
      const key = `${now.ownerId} ${now.participantCount} ${now.participants.join()}`;
      if (key === seen) return;
      seen = key;
      ownerId = now.ownerId;
      list.show(async (after) => {
        const { members, hasMore } = await client.members(chat.id, after);
        return { items: members, next: hasMore ? members.at(-1)?.id : undefined };
      });
    },
  };
}

/**
 * Creates the button to leave a group, or a channel that the user does not own. Private chats have no such button.
 *
 * @param {App} app
 * @param {ListedChat} chat
 * @param {() => void} close
 */
function leaveSection(app, chat, close) {
  const { client, words, state } = app;
  const { t } = words;
  const isOwner = chat.ownerId === state().user?.id;
  if (chat.type === 'private' || (chat.type === 'channel' && isOwner)) return undefined;
  const isGroup = chat.type === 'group';
  const problem = h('p', { class: 'form-problem', role: 'alert', hidden: true });
  const button = h('button', {
    class: 'button danger-quiet',
    type: 'button',
    text: t(isGroup ? 'leave' : 'unsubscribe'),
  });
  button.addEventListener('click', async () => {
    const now = state().chats?.find(({ id }) => id === chat.id) ?? chat;
    const isConfirmed = await ask({
      words,
      title: t(isGroup ? 'leaveQuestion' : 'unsubscribeQuestion', { name: shownName(app, now) }),
      text: t(textOfLeaving(now, isOwner)),
      yes: t(isGroup ? 'leave' : 'unsubscribe'),
    });
    if (!isConfirmed) return;
    try {
      await (isGroup ? client.leave(chat.id) : client.unsubscribeFrom(chat.id));
      close();
      app.go(null);
    } catch (error) {
      put(problem, explain(error, words));
      problem.hidden = false;
    }
  });
  return h('section', { class: 'part' }, problem, button);
}

/** @param {ListedChat} chat @param {boolean} isOwner */
function textOfLeaving({ type, participantCount }, isOwner) {
  if (type === 'channel') return 'unsubscribeText';
  if (participantCount === 1) return 'leaveLastText';
  return isOwner ? 'leaveOwnerText' : 'leaveText';
}
