import { h } from '../../shared/dom.ts';
import { icon } from './icons.js';
import { emoji, stickers } from './message-kinds.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {'emoji' | 'stickers'} TrayName */

/**
 * Creates the emoji and sticker pickers above the composer, and their buttons. Only one picker is open at a time. Arrow
 * keys move within it, and Escape closes it.
 *
 * @param {App} app
 * @param {object} actions
 * @param {(text: string) => unknown} actions.insert
 * @param {(name: string) => unknown} actions.sendSticker
 * @param {() => unknown} actions.leave moves the focus back to the text field
 */
export function createTray({ words: { t } }, { insert, sendSticker, leave }) {
  /** @type {TrayName | undefined} */
  let open;
  const element = h('div', { class: 'tray', id: 'tray', role: 'group', hidden: true });

  const contents = {
    emoji: () =>
      emoji.map((text) =>
        h('button', {
          class: 'tray-emoji',
          type: 'button',
          onclick: () => insert(text),
          text,
        }),
      ),
    stickers: () =>
      stickers.map((name) =>
        h(
          'button',
          {
            class: 'tray-sticker',
            type: 'button',
            title: t(`sticker_${name}`),
            onclick: () => {
              show(undefined);
              sendSticker(name);
            },
          },
          h('img', {
            src: `/stickers/${name}.svg`,
            alt: t(`sticker_${name}`),
            width: 60,
            height: 70,
          }),
        ),
      ),
  };

  /** @param {TrayName | undefined} name */
  const show = (name) => {
    open = name;
    element.hidden = name === undefined;
    for (const button of buttons) {
      button.setAttribute('aria-expanded', String(button.dataset.tray === name));
    }
    if (name === undefined) return element.replaceChildren();
    element.className = `tray ${name}`;
    element.setAttribute('aria-label', t(name));
    element.replaceChildren(...contents[name]());
    rove(element.querySelector('button'));
  };

  /** Makes one button the only tab stop and focuses it. @param {HTMLElement | null} goal */
  const rove = (goal) => {
    for (const button of element.querySelectorAll('button')) {
      button.tabIndex = button === goal ? 0 : -1;
    }
    goal?.focus();
  };

  /** @param {TrayName} name @param {import('./icons.js').IconName} picture */
  const toggle = (name, picture) =>
    h(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        'data-tray': name,
        'aria-label': t(name),
        title: t(name),
        'aria-expanded': 'false',
        'aria-controls': 'tray',
        onclick: () => show(open === name ? undefined : name),
      },
      icon(picture),
    );
  const buttons = [toggle('emoji', 'smile'), toggle('stickers', 'sticker')];

  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      const button = buttons.find(({ dataset }) => dataset.tray === open);
      show(undefined);
      (button ?? { focus: leave }).focus();
      return;
    }
    const all = [...element.querySelectorAll('button')];
    const index = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (index === -1) return;
    const goal = goalOf(event.key, all, index);
    if (!goal) return;
    event.preventDefault();
    rove(goal);
  });

  return { element, buttons, close: () => show(undefined) };
}

/**
 * Returns the button to which a key moves the focus. The width of the grid depends on the layout.
 *
 * @param {string} key
 * @param {readonly HTMLButtonElement[]} all
 * @param {number} index
 */
function goalOf(key, all, index) {
  const columns = all.findIndex(({ offsetTop }) => offsetTop !== all[0]?.offsetTop);
  const width = columns === -1 ? all.length : columns;
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width };
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  const step = Object.hasOwn(steps, key) ? steps[/** @type {keyof typeof steps} */ (key)] : 0;
  return step === 0 ? undefined : all[index + step];
}
