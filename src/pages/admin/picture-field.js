import { h, icon } from '../shared/dom.ts';
import { picture } from '../shared/picture.ts';
import { atMost, imageAddress } from './checks.js';
import { textField } from './fields.js';
import { fileFault, refusal } from './picture-faults.js';
import { upload } from './upload.js';

/** @typedef {import('./picture-faults.js').PictureRules} PictureRules */

const path = '/api/admin/images';

/**
 * The picture of a product: a file that is dropped, pasted or chosen, or an address. A file is sent at once, and its
 * address stands in the field then.
 *
 * @param {string} name
 * @param {object} options
 * @param {import('./session.js').Session} options.session
 * @param {() => void} options.changed
 * @returns {import('./fields.js').Field}
 */
export function pictureField(name, { session, changed }) {
  const address = textField(name, 'Picture address', {
    hint: 'Filled in by an upload. An https address, or a path on this site, works as well.',
    inputmode: 'url',
    spellcheck: 'false',
    checks: [imageAddress, atMost(2000)],
  });
  const drop = createDrop({
    session,
    /** @param {string} image */
    use: (image) => {
      address.show(image);
      drop.show(image);
      changed();
    },
  });
  address.control.addEventListener('change', () => drop.show(address.raw()));
  return {
    ...address,
    label: 'Picture address',
    element: h(
      'fieldset',
      { class: 'field picture-field' },
      h('legend', { class: 'label', text: 'Picture' }),
      drop.element,
      address.element,
    ),
    show: (value) => {
      address.show(value);
      drop.show(value);
    },
  };
}

/**
 * @param {object} options
 * @param {import('./session.js').Session} options.session
 * @param {(image: string) => void} options.use
 */
function createDrop({ session, use }) {
  /** @type {PictureRules | undefined} */
  let rules;
  /** @type {AbortController | undefined} */
  let running;
  const frame = h('div', { class: 'drop-picture' });
  const status = h('p', { class: 'drop-status', role: 'status' });
  const error = h('p', { class: 'error', role: 'alert', hidden: true });
  const bar = h('progress', { max: 1, 'aria-label': 'Upload', hidden: true });
  const file = h('input', {
    type: 'file',
    class: 'visually-hidden',
    tabindex: '-1',
    'aria-hidden': 'true',
    accept: 'image/jpeg,image/png,image/webp',
    onchange: () => {
      const [chosen] = file.files ?? [];
      file.value = '';
      if (chosen) send(chosen);
    },
  });
  const choose = h(
    'button',
    { class: 'button', type: 'button', onclick: () => file.click() },
    icon('upload'),
    'Choose a picture',
  );
  const stop = h('button', {
    class: 'button',
    type: 'button',
    hidden: true,
    onclick: () => running?.abort(),
    text: 'Stop the upload',
  });
  const remove = h('button', {
    class: 'button quiet',
    type: 'button',
    onclick: () => {
      use('');
      say('The picture is removed; saving takes it off the site.');
      choose.focus();
    },
    text: 'Remove picture',
  });
  const hint = h('p', {
    class: 'hint',
    text: 'Or drop one here, or paste one: JPEG, PNG or WebP.',
  });

  /** @param {string} text @param {boolean} [isFault] */
  const say = (text, isFault = false) => {
    status.textContent = isFault ? '' : text;
    error.textContent = isFault ? text : '';
    error.hidden = !isFault;
  };
  /** @param {boolean} value */
  const setRunning = (value) => {
    bar.hidden = !value;
    stop.hidden = !value;
    choose.hidden = value || !rules?.available;
    element.setAttribute('aria-busy', String(value));
  };

  /** @param {File} given */
  const send = async (given) => {
    if (!rules?.available || running) return;
    const fault = fileFault(given, rules);
    if (fault) return say(fault, true);
    const hadFocus = element.contains(document.activeElement);
    running = new AbortController();
    const { signal } = running;
    bar.value = 0;
    setRunning(true);
    if (hadFocus) stop.focus();
    say(`Sending ${given.name || 'the picture'} …`);
    try {
      const { data } = await session.withToken(path, (token) =>
        upload(path, given, { ...token, signal, progress }),
      );
      use(data.urls['800']);
      say('The picture is stored; saving puts it on the site.');
    } catch (failed) {
      say(refusal(failed), true);
    }
    running = undefined;
    const stillHere = element.contains(document.activeElement);
    setRunning(false);
    if (hadFocus || stillHere) choose.focus();
  };
  /** @param {number} share */
  const progress = (share) => {
    bar.value = share;
    if (share === 1) say('Sent; the server makes its sizes …');
  };

  /** @type {HTMLElement} */
  const element = h(
    'div',
    {
      class: 'drop',
      ondragover: (event) => {
        event.preventDefault();
        element.classList.add('over');
      },
      ondragleave: () => element.classList.remove('over'),
      ondrop: (event) => {
        event.preventDefault();
        element.classList.remove('over');
        const [dropped] = event.dataTransfer?.files ?? [];
        if (dropped) send(dropped);
        else say('That is no file. Save the picture first, or give its address below.', true);
      },
    },
    frame,
    h(
      'div',
      { class: 'drop-text' },
      h('div', { class: 'drop-acts' }, choose, stop, remove),
      hint,
      bar,
      status,
      error,
      file,
    ),
  );

  /** @param {ClipboardEvent} event */
  const paste = (event) => {
    if (!element.isConnected) return document.removeEventListener('paste', paste);
    const pasted = [...(event.clipboardData?.files ?? [])].find(({ type }) =>
      type.startsWith('image/'),
    );
    if (!pasted || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    send(pasted);
  };

  const begin = async () => {
    choose.hidden = true;
    try {
      rules = (await session.call(path)).data;
    } catch {
      // An older server, or none that answers: an address works all the same.
    }
    choose.hidden = !rules?.available;
    hint.textContent = rules?.available
      ? `Or drop one here, or paste one: JPEG, PNG or WebP, up to ${Math.round(rules.mostBytes / 1024 / 1024)} MB.`
      : 'This server takes no pictures at the moment; give the address of one.';
    if (rules?.available) document.addEventListener('paste', paste);
  };
  begin();

  return {
    element,
    /** @param {string} image */
    show: (image) => {
      remove.hidden = !image;
      frame.hidden = !image;
      frame.replaceChildren(
        ...(image
          ? [picture({ image, name: '', alt: 'The picture as it is now', eager: true })]
          : []),
      );
    },
  };
}
