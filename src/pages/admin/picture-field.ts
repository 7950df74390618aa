import type { ImageAnswer, UploadsAnswer } from '#validators/images';
import { h, icon } from '../shared/dom.ts';
import { picture } from '../shared/picture.ts';
import { createChecks } from './checks.ts';
import type { Field } from './fields.ts';
import { textField } from './fields.ts';
import type { PictureRules } from './picture-faults.ts';
import { fileFault, refusal } from './picture-faults.ts';
import type { Session } from './session.ts';
import { upload } from './upload.ts';
import type { Words } from './words/en.ts';

const path = '/api/admin/images';

/**
 * The picture of a product: a dropped, pasted or chosen file, or an address. A file is uploaded at once, and its
 * address is put into the field.
 */
export function pictureField(
  name: string,
  {
    words,
    session,
    changed,
  }: {
    words: Words;
    session: Session;
    changed: () => void;
  },
): Field {
  const { picture: texts } = words;
  const { atMost, imageAddress } = createChecks(words);
  const address = textField(name, texts.address, {
    hint: texts.addressHint,
    inputmode: 'url',
    spellcheck: 'false',
    checks: [imageAddress, atMost(2000)],
  });
  const byAddress = h('details', {}, h('summary', { text: texts.byAddress }), address.element);
  const drop = createDrop({
    words,
    session,
    cannotUpload: () => {
      byAddress.open = true;
    },
    use: (image: string) => {
      address.show(image);
      drop.show(image);
      changed();
    },
  });
  address.control.addEventListener('change', () => drop.show(address.raw()));
  return {
    ...address,
    showErrors: (errors) => {
      if (errors.length > 0) byAddress.open = true;
      return address.showErrors(errors);
    },
    element: h(
      'fieldset',
      { class: 'field picture-field' },
      h('legend', { class: 'label', text: texts.title }),
      drop.element,
      byAddress,
    ),
    show: (value: string) => {
      address.show(value);
      drop.show(value);
    },
  };
}

function createDrop({
  words,
  session,
  cannotUpload,
  use,
}: {
  words: Words;
  session: Session;
  /** called if the service accepts no pictures, or cannot say so */
  cannotUpload: () => void;
  use: (image: string) => void;
}) {
  const { picture: texts } = words;
  let rules: PictureRules | undefined;
  let running: AbortController | undefined;
  const frame = h('div', { class: 'drop-picture' });
  const status = h('p', { class: 'drop-status', role: 'status' });
  const error = h('p', { class: 'error', role: 'alert', hidden: true });
  const bar = h('progress', { max: 1, 'aria-label': texts.title, hidden: true });
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
    texts.choose,
  );
  const stop = h('button', {
    class: 'button',
    type: 'button',
    hidden: true,
    onclick: () => running?.abort(),
    text: texts.stop,
  });
  const remove = h('button', {
    class: 'button quiet',
    type: 'button',
    onclick: () => {
      use('');
      say(texts.removed);
      choose.focus();
    },
    text: texts.remove,
  });
  const hint = h('p', { class: 'hint' });

  const say = (text: string, isFault: boolean = false) => {
    status.textContent = isFault ? '' : text;
    error.textContent = isFault ? text : '';
    error.hidden = !isFault;
  };
  const setRunning = (value: boolean) => {
    bar.hidden = !value;
    stop.hidden = !value;
    choose.hidden = value || !rules?.available;
    element.setAttribute('aria-busy', String(value));
  };

  const send = async (given: File) => {
    if (!rules?.available || running) return;
    const fault = fileFault(given, rules, words);
    if (fault) return say(fault, true);
    const hadFocus = element.contains(document.activeElement);
    running = new AbortController();
    const { signal } = running;
    bar.value = 0;
    setRunning(true);
    if (hadFocus) stop.focus();
    say(texts.sending(given.name));
    try {
      const { data } = await session.withToken(path, (token) =>
        upload<ImageAnswer>(path, given, { ...token, signal, progress }),
      );
      use(data.urls['800']);
      say(texts.stored);
    } catch (failed) {
      say(refusal(failed, words), true);
    }
    running = undefined;
    const stillHere = element.contains(document.activeElement);
    setRunning(false);
    if (hadFocus || stillHere) choose.focus();
  };
  const progress = (share: number) => {
    bar.value = share;
  };

  const element: HTMLElement = h(
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
        else say(texts.noFile, true);
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

  const paste = (event: ClipboardEvent) => {
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
      rules = (await session.call<UploadsAnswer>(path)).data;
    } catch {
      // Uploads are unavailable; an address still works.
    }
    choose.hidden = !rules?.available;
    hint.textContent = rules?.available
      ? texts.drop(Math.round(rules.mostBytes / 1024 / 1024))
      : texts.noUploads;
    if (rules?.available) document.addEventListener('paste', paste);
    else cannotUpload();
  };
  begin();

  return {
    element,
    show: (image: string) => {
      remove.hidden = !image;
      frame.hidden = !image;
      frame.replaceChildren(
        ...(image ? [picture({ image, name: '', alt: texts.now, eager: true })] : []),
      );
    },
  };
}
