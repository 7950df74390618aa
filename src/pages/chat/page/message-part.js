import { h } from '../../shared/dom.ts';
import { createAvatar } from './avatar.js';
import { put } from './chat-list.js';
import { icon } from './icons.js';
import { piecesOf, shownAs } from './message-kinds.js';
import { explain } from './problems.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./rows.js').MessageRow} MessageRow */
/** @typedef {import('./rows.js').OutgoingRow} OutgoingRow */
/** @typedef {import('./keyed.js').Part<any>} Part */

/** Keys of the texts for the error codes of a post. */
const postProblems = {
  text_empty: 'problemInvalid',
  text_too_long: 'problemTooLong',
  outbox_full: 'problemOutboxFull',
  too_old: 'problemTooOld',
  conflict: 'accountIsGone',
};

/**
 * Creates the element of a row in a room.
 *
 * @param {App} app
 * @param {Row} row
 * @returns {Part}
 */
export function createRowPart(app, row) {
  if (row.kind === 'day') return dayPart(app);
  if (row.kind === 'new') return newPart(app);
  return row.kind === 'message' ? messagePart(app, row) : outgoingPart(app, row);
}

/** @param {App} app @returns {Part} */
function dayPart({ words, now }) {
  const text = h('span');
  return {
    element: h('li', { class: 'day-row' }, text),
    /** @param {Extract<Row, { kind: 'day' }>} row */
    update: ({ at }) => put(text, words.day(at, now())),
  };
}

/** @param {App} app @returns {Part} */
function newPart({ words: { t } }) {
  const element = h('li', { class: 'new-row' }, h('span', { text: t('newMessages') }));
  return { element, update: () => {} };
}

/** @param {App} app @param {MessageRow} row @returns {Part} */
function messagePart(app, { message, isOwn }) {
  const { t, name, time, exactTime } = app.words;
  const sender = h('bdi');
  const tick = h('span', { class: 'tick' });
  const avatar = isOwn ? null : createAvatar(senderOf(message), 'small');
  const element = h(
    'li',
    { class: `message ${isOwn ? 'own' : 'other'} ${shownAs(message)}` },
    avatar?.element,
    h(
      'div',
      { class: 'bubble' },
      h('p', { class: 'message-name' }, sender),
      h(
        'div',
        { class: 'message-body' },
        content(app, message),
        h(
          'p',
          { class: 'message-foot' },
          h('time', {
            datetime: message.createdAt,
            title: exactTime(message.createdAt),
            text: time(message.createdAt),
          }),
          tick,
        ),
      ),
    ),
  );
  /** @param {MessageRow} row */
  const update = ({ message: { senderName, senderId, senderAvatar }, starts, ends, isRead }) => {
    element.classList.toggle('starts', starts);
    element.classList.toggle('ends', ends);
    put(sender, isOwn ? t('you') : name(senderName, senderId));
    avatar?.show(senderOf({ senderName, senderId, senderAvatar }));
    showTick(app, tick, isRead);
  };
  return { element, update };
}

/**
 * @param {Pick<MessageRow['message'], 'senderId' | 'senderName' | 'senderAvatar'>} message
 * @returns {import('./avatar.js').Portrayed}
 */
function senderOf({ senderId: id, senderName, senderAvatar: avatar }) {
  return { kind: 'user', id, name: senderName, avatar };
}

/** @param {App} app @param {HTMLElement} tick @param {boolean | null} isRead */
function showTick({ words: { t } }, tick, isRead) {
  const state = isRead === null ? '' : isRead ? 'read' : 'sent';
  if ((tick.dataset.state ?? '') === state) return;
  tick.dataset.state = state;
  if (state === '') return tick.replaceChildren();
  tick.replaceChildren(
    icon(isRead ? 'checks' : 'check'),
    h('span', { class: 'visually-hidden', text: t(state) }),
  );
}

/**
 * @param {App} app
 * @param {{ type: string, text: string, error?: unknown }} message
 */
function content({ words: { t } }, message) {
  if (message.text === '' && message.error) {
    return h('p', { class: 'message-text unreadable', text: t('unreadable') });
  }
  if (shownAs(message) === 'sticker') {
    return h('img', {
      class: 'sticker',
      src: `/stickers/${message.text}.svg`,
      alt: t('stickerOf', { name: t(`sticker_${message.text}`) }),
      width: 120,
      height: 140,
    });
  }
  return h('p', { class: 'message-text', dir: 'auto' }, piecesOf(message.text).map(pieceOf));
}

/** @param {import('./message-kinds.js').Piece} piece */
function pieceOf({ text, href }) {
  if (href === undefined) return text;
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow', dir: 'ltr', text });
}

const stateIcons = /** @type {const} */ ({ waiting: 'clock', sending: 'clock', failed: 'alert' });

/** @param {App} app @param {OutgoingRow} row @returns {Part} */
function outgoingPart(app, { post }) {
  const { client, words } = app;
  const { t } = words;
  const said = h('span');
  const mark = h('span', { class: 'tick' });
  const actions = h(
    'p',
    { class: 'message-actions', hidden: true },
    h('button', {
      class: 'text-button',
      type: 'button',
      onclick: () => client.retry(post.key),
      text: t('retry'),
    }),
    h('button', {
      class: 'text-button danger',
      type: 'button',
      onclick: () => client.discard(post.key),
      text: t('discard'),
    }),
  );
  const element = h(
    'li',
    { class: `message own outgoing ${shownAs(post)}` },
    h(
      'div',
      { class: 'bubble' },
      h('p', { class: 'message-name' }, h('bdi', { text: t('you') })),
      h(
        'div',
        { class: 'message-body' },
        content(app, post),
        h('p', { class: 'message-foot' }, said, mark),
      ),
    ),
    actions,
  );
  let shown = '';
  /** @param {OutgoingRow} row */
  const update = ({ post: { state, error }, starts, ends }) => {
    element.classList.toggle('starts', starts);
    element.classList.toggle('ends', ends);
    element.classList.toggle('failed', state === 'failed');
    actions.hidden = state !== 'failed';
    const text =
      state === 'failed' && error
        ? t('failedBecause', { reason: explain(error, words, postProblems) })
        : t(state);
    said.className = state === 'failed' ? 'reason' : 'visually-hidden';
    put(said, text);
    if (shown === state) return;
    shown = state;
    mark.replaceChildren(icon(stateIcons[state]));
    if (state === 'failed') app.say(text);
  };
  return { element, update };
}
