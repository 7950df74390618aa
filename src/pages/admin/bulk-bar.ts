import { h } from '../shared/dom.ts';
import { runForAll } from './bulk-run.ts';
import { explain } from './errors.ts';
import { shortList, textButton } from './parts.ts';
import type { Selection } from './selection.ts';
import { parseLeft } from './stock.ts';
import type { Words } from './words/en.ts';

/** The most failures that are listed; the others are counted. */
const listed = 8;

/**
 * The actions for all selected products: mark them as sold out or available, or set a count. Shows the progress, can be
 * stopped, and keeps the products selected that were not changed.
 */
export function createBulkBar({
  words,
  selection,
  set,
  nameOf,
  changed,
  selectAll,
}: {
  words: Words;
  selection: Selection;
  set: (id: number, left: number | null) => Promise<unknown>;
  nameOf: (id: number) => string;
  /** called when the selection or the stock is another */
  changed: () => void;
  selectAll: () => void;
}) {
  const { bulk, stock } = words;
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
    text: bulk.clear,
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

  const run = async (left: number | null) => {
    if (isRunning) return;
    isRunning = true;
    const ids = selection.ids();
    const stop = new AbortController();
    const { element, progress } = progressLine(ids.length, words, () => stop.abort());
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
    result.replaceChildren(...outcomeText(outcome, nameOf, words));
    changed();
    result.focus();
  };

  const showDoing = (value: boolean) => {
    doing.hidden = !value;
    buttons.hidden = value;
    if (value) doing.querySelector('button')?.focus();
  };

  const submit = (event: Event) => {
    event.preventDefault();
    const left = parseLeft(number.value);
    const isCount = left !== null && !Number.isNaN(left);
    error.hidden = isCount;
    error.textContent = isCount ? '' : stock.wrongCount;
    number.setAttribute('aria-invalid', String(!isCount));
    if (isCount) run(left);
    else number.focus();
  };

  const buttons = h(
    'form',
    { class: 'bulk-acts', novalidate: true, onsubmit: submit },
    textButton(bulk.soldOut, () => run(0)),
    textButton(bulk.available, () => run(null)),
    h('label', { for: 'bulk-left', text: bulk.leftOfEach }),
    number,
    h('button', { class: 'button', type: 'submit', text: bulk.setCount }),
    error,
  );
  const element = h(
    'section',
    { class: 'bulk', 'aria-label': bulk.label, hidden: true },
    h('div', { class: 'bulk-head' }, count, all, clear),
    buttons,
    doing,
    result,
  );

  return {
    element,
    isRunning: () => isRunning,
    /** @param found number of products that match the filter */
    update: (found: number, isWholePage: boolean) => {
      const chosen = selection.count();
      element.hidden = chosen === 0 && result.hidden;
      buttons.hidden = chosen === 0 || isRunning;
      count.textContent = chosen === 0 ? '' : bulk.selected(chosen);
      clear.hidden = buttons.hidden;
      all.hidden = !isWholePage || chosen >= found || isRunning;
      all.textContent = bulk.selectAll(found);
    },
    forgetResult: () => {
      result.hidden = true;
    },
  };
}

function progressLine(total: number, { bulk, stop: stopLabel }: Words, stop: () => void) {
  const bar = h('progress', { max: total, 'aria-label': bulk.label });
  bar.value = 0;
  const text = h('p', { text: bulk.stored(0, total) });
  const element = h('div', { class: 'bulk-line' }, bar, text, textButton(stopLabel, stop));
  return {
    element,
    progress: (done: number) => {
      bar.value = done;
      text.textContent = bulk.stored(done, total);
    },
  };
}

function outcomeText(
  { done, failed, left }: Awaited<ReturnType<typeof runForAll>>,
  nameOf: (id: number) => string,
  words: Words,
) {
  const total = done.length + failed.length + left.length;
  const isWhole = done.length === total;
  const sentence = isWhole ? words.bulk.done(total) : words.bulk.partly(done.length, total);
  const lines = failed.map(({ id, error }) => `${nameOf(id)}: ${explain(error, words)}`);
  return [
    h('p', { class: isWhole ? 'bulk-good' : 'error', text: sentence }),
    ...(lines.length > 0 ? [shortList(lines, listed, words)] : []),
  ];
}
