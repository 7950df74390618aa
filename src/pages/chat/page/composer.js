import { h } from '../../shared/dom.ts';
import { maxTextLength } from '../posts.js';
import { icon } from './icons.js';
import { typeOfText } from './message-kinds.js';
import { explain } from './problems.js';
import { createTray } from './tray.js';

/** @typedef {import('./app.js').App} App */

/** Minimum length of a message for which the number of remaining characters is shown, in characters. */
const countedFrom = 3600;
/** Number of characters between two announcements to screen readers. */
const countStep = 100;

/**
 * Creates the form for a message. Enter sends the message, and Shift+Enter starts a new line. Drafts are stored by chat
 * until the page is closed.
 *
 * @param {App} app
 * @param {number} chatId
 * @param {{ onPost: () => unknown }} actions
 */
export function createComposer(app, chatId, { onPost }) {
  const { client, words, drafts } = app;
  const { t } = words;
  const label = h('label', { class: 'visually-hidden', for: 'composer-text' });
  const input = h('textarea', {
    id: 'composer-text',
    class: 'composer-text',
    rows: 1,
    dir: 'auto',
    placeholder: t('message'),
    enterkeyhint: 'send',
    autocomplete: 'off',
    'aria-describedby': 'composer-hint composer-count',
    value: drafts.get(chatId) ?? '',
  });
  const count = h('p', { class: 'composer-count', id: 'composer-count' });
  const send = h(
    'button',
    { class: 'icon-button send', type: 'submit', 'aria-label': t('send'), title: t('send') },
    icon('send'),
  );
  const tray = createTray(app, {
    insert: (text) => insertAt(input, text),
    sendSticker: (name) => {
      if (post(name, 'sticker')) input.focus();
    },
    leave: () => input.focus(),
  });

  /**
   * @param {string} text
   * @param {import('../types.js').MessageType} type
   */
  const post = (text, type) => {
    try {
      client.post(chatId, { text, type });
    } catch (error) {
      count.textContent = explain(error, words, {
        text_too_long: 'problemTooLong',
        outbox_full: 'problemOutboxFull',
      });
      count.classList.add('wrong');
      app.say(count.textContent);
      return false;
    }
    onPost();
    return true;
  };

  const submit = () => {
    const text = input.value.trim();
    if (text === '' || lengthOf(text) > maxTextLength) {
      app.say(count.textContent);
      return input.focus();
    }
    if (!post(text, typeOfText(text))) return;
    input.value = '';
    tray.close();
    follow();
    input.focus();
  };

  /** Announces the number of remaining characters in steps, not after every character. @param {number} left */
  const sayCount = (left) => {
    const step = left < 0 ? -1 : Math.floor(left / countStep);
    if (step === saidStep) return;
    saidStep = step;
    if (count.textContent) app.say(count.textContent);
  };
  let saidStep = maxTextLength / countStep;

  /** Updates the draft, the counter, the button and the height. */
  const follow = () => {
    const { value } = input;
    if (value === '') drafts.delete(chatId);
    else drafts.set(chatId, value);
    const length = lengthOf(value.trim());
    const left = maxTextLength - length;
    count.textContent =
      left < 0
        ? t('lettersOver', { count: -left })
        : length >= countedFrom
          ? t('lettersLeft', { count: left })
          : '';
    count.classList.toggle('wrong', left < 0);
    sayCount(left);
    send.setAttribute('aria-disabled', String(length === 0 || left < 0));
    if (!growsAutomatically) grow(input);
  };

  const element = h(
    'form',
    {
      class: 'composer',
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    tray.element,
    count,
    h('div', { class: 'composer-line' }, tray.buttons, label, input, send),
    h('p', { class: 'visually-hidden', id: 'composer-hint', text: t('writeHint') }),
  );
  input.addEventListener('input', follow);
  input.addEventListener('keydown', (event) => {
    // While an input method composes a word, Enter accepts that word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  follow();

  return {
    element,
    /** @param {string} name */
    update: (name) => {
      const text = t('messageTo', { name });
      if (label.textContent !== text) label.textContent = text;
    },
    focus: () => input.focus({ preventScroll: true }),
  };
}

/** @param {string} text */
function lengthOf(text) {
  // Counting code points is slow, so it is done only for long texts.
  return text.length < countedFrom ? text.length : [...text].length;
}

const growsAutomatically = globalThis.CSS?.supports?.('field-sizing', 'content') ?? false;

/** @param {HTMLTextAreaElement} input */
function grow(input) {
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight + 2}px`;
}

/**
 * @param {HTMLTextAreaElement} input
 * @param {string} text
 */
function insertAt(input, text) {
  const { selectionStart, selectionEnd } = input;
  input.setRangeText(text, selectionStart, selectionEnd, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
