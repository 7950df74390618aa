import { h } from '../shared/dom.ts';
import { runForAll } from './bulk-run.js';
import { leftHint, parseLeft } from './stock.js';

/** More failures than this are counted rather than listed. */
const listed = 8;

/**
 * What can be done for the selected products together: mark them sold out or available, or give them a count. It
 * says how far it is, can be stopped, and keeps selected what was not done.
 *
 * @param {object} options
 * @param {import('./selection.js').Selection} options.selection
 * @param {(id: number, left: number | null) => Promise<unknown>} options.set
 * @param {(id: number) => string} options.nameOf
 * @param {() => void} options.changed called when the selection or the stock is another
 * @param {() => void} options.selectAll
 */
export function createBulkBar({ selection, set, nameOf, changed, selectAll }) {
  const count = h('p', { class: 'bulk-count', role: 'status' });
  const all = h('button', {
    class: 'link',
    type: 'button',
    'data-bulk': 'all',
    onclick: selectAll,
  });
  const clear = h('button', {
    class: 'link',
    type: 'button',
    onclick: () => {
      selection.clear();
      changed();
    },
    text: 'Clear the selection',
  });
  const result = h('div', { class: 'bulk-result', hidden: true, tabindex: '-1' });
  const doing = h('div', { class: 'bulk-doing', hidden: true });
  const number = h('input', {
    class: 'input short',
    id: 'bulk-left',
    inputmode: 'numeric',
    autocomplete: 'off',
    'aria-describedby': 'bulk-error',
  });
  const error = h('p', { class: 'error', id: 'bulk-error', role: 'alert', hidden: true });
  let isRunning = false;

  /** @param {number | null} left */
  const run = async (left) => {
    if (isRunning) return;
    isRunning = true;
    const ids = selection.ids();
    const stop = new AbortController();
    const { element, progress } = progressLine(ids.length, () => stop.abort());
    doing.replaceChildren(element);
    showDoing(true);
    const outcome = await runForAll(ids, {
      act: (id) => set(id, left),
      progress,
      signal: stop.signal,
    });
    isRunning = false;
    selection.clear();
    selection.set([...outcome.failed.map(({ id }) => id), ...outcome.left], true);
    showDoing(false);
    result.hidden = false;
    result.replaceChildren(...outcomeText(outcome, nameOf));
    changed();
    result.focus();
  };

  /** @param {boolean} value */
  const showDoing = (value) => {
    doing.hidden = !value;
    buttons.hidden = value;
    if (value) doing.querySelector('button')?.focus();
  };

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const left = parseLeft(number.value);
    const isCount = left !== null && !Number.isNaN(left);
    error.hidden = isCount;
    error.textContent = isCount ? '' : leftHint.replace(/,.*/, '.');
    number.setAttribute('aria-invalid', String(!isCount));
    if (isCount) run(left);
    else number.focus();
  };

  /** @param {string} text @param {() => unknown} onclick @param {string} [kind] */
  const button = (text, onclick, kind = '') =>
    h('button', { class: `button ${kind}`, type: 'button', onclick, text });

  const buttons = h(
    'form',
    { class: 'bulk-acts', novalidate: true, onsubmit: submit },
    button('Mark as sold out', () => run(0)),
    button('Mark as available', () => run(null)),
    h('label', { for: 'bulk-left', text: 'Left of each' }),
    number,
    h('button', { class: 'button', type: 'submit', text: 'Set the count' }),
    error,
  );
  const element = h(
    'section',
    { class: 'bulk', 'aria-label': 'Selected products', hidden: true },
    h('div', { class: 'bulk-head' }, count, all, clear),
    buttons,
    doing,
    result,
  );

  return {
    element,
    isRunning: () => isRunning,
    /**
     * @param {number} found how many the filter leaves
     * @param {boolean} isWholePage
     */
    update: (found, isWholePage) => {
      const chosen = selection.count();
      element.hidden = chosen === 0 && result.hidden;
      buttons.hidden = chosen === 0 || isRunning;
      count.textContent = chosen === 0 ? '' : `${chosen} selected`;
      clear.hidden = buttons.hidden;
      all.hidden = !isWholePage || chosen >= found || isRunning;
      all.textContent = `Select all ${found}`;
    },
    forgetResult: () => {
      result.hidden = true;
    },
  };
}

/**
 * @param {number} total
 * @param {() => void} stop
 */
function progressLine(total, stop) {
  const bar = h('progress', { max: total, 'aria-label': 'Progress' });
  bar.value = 0;
  const text = h('p', { text: `0 of ${total} are stored.` });
  const element = h(
    'div',
    { class: 'bulk-line' },
    bar,
    text,
    h('button', { class: 'button', type: 'button', onclick: stop, text: 'Stop' }),
  );
  return {
    element,
    /** @param {number} done */
    progress: (done) => {
      bar.value = done;
      text.textContent = `${done} of ${total} are stored.`;
    },
  };
}

/**
 * @param {Awaited<ReturnType<typeof runForAll>>} outcome
 * @param {(id: number) => string} nameOf
 */
function outcomeText({ done, failed, left }, nameOf) {
  const total = done.length + failed.length + left.length;
  const isWhole = done.length === total;
  const sentence = isWhole
    ? `The stock of ${total === 1 ? 'one product' : `${total} products`} is changed.`
    : `${done.length} of ${total} are changed; what is not stays selected.`;
  const more = failed.length - listed;
  return [
    h('p', { class: isWhole ? 'bulk-good' : 'error', text: sentence }),
    ...(failed.length > 0
      ? [
          h(
            'ul',
            {},
            failed
              .slice(0, listed)
              .map(({ id, message }) => h('li', { text: `${nameOf(id)}: ${message}` })),
            more > 0 && h('li', { text: `and ${more} more` }),
          ),
        ]
      : []),
  ];
}
