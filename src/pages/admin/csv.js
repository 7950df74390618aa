import { h } from '../shared/dom.ts';
import { download } from './api.js';
import { openDialog } from './dialog.js';

const exportPath = '/api/admin/products.csv';
const importPath = '/api/admin/products/import';

/** More faults than this are counted rather than listed. */
const listed = 50;

/**
 * The catalogue as a table for a spreadsheet: down, and up again after a check that changes nothing.
 *
 * @param {import('./parts.js').ViewOptions & { changed: () => unknown }} options
 */
export function openCsv({ session, toast, changed }) {
  const result = h('div', { class: 'csv-result', role: 'status' });
  /** @type {Blob | undefined} */
  let table;
  let isBusy = false;
  /** @param {boolean} value */
  const setBusy = (value) => {
    isBusy = value;
    result.setAttribute('aria-busy', String(value));
  };

  /** @param {boolean} dryRun */
  const send = async (dryRun) => {
    const path = dryRun ? `${importPath}?dryRun=true` : importPath;
    return (await session.exchange(path, { method: 'POST', body: table })).answer;
  };

  /** @param {File} file */
  const check = async (file) => {
    if (isBusy) return;
    setBusy(true);
    table = new Blob([file], { type: 'text/csv' });
    confirm.hidden = true;
    result.replaceChildren(h('p', { text: `Checking ${file.name} …` }));
    try {
      const answer = await send(true);
      result.replaceChildren(h('p', { text: `${file.name}: ${summary(answer)}` }));
      confirm.hidden = false;
      confirm.focus();
    } catch (error) {
      result.replaceChildren(...faultLines(file.name, error));
    }
    setBusy(false);
  };

  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const answer = await send(false);
      dialog.close();
      toast.show(`The products are imported: ${summary(answer)}`);
      await changed();
    } catch (error) {
      result.replaceChildren(...faultLines('Nothing was imported', error));
    }
    setBusy(false);
  };

  const save = async () => {
    try {
      const blob = await session.withToken(exportPath, (token) => download(exportPath, token));
      const href = URL.createObjectURL(blob);
      h('a', { href, download: 'products.csv' }).click();
      // The browser has taken hold of it by then.
      setTimeout(() => URL.revokeObjectURL(href), 1_000);
    } catch (error) {
      result.replaceChildren(h('p', { class: 'error', text: error.message }));
    }
  };

  /** @type {HTMLInputElement} */
  const file = h('input', {
    class: 'input',
    type: 'file',
    id: 'csv-file',
    accept: '.csv,text/csv',
    'aria-describedby': 'csv-hint',
    onchange: () => {
      const [chosen] = file.files ?? [];
      file.value = '';
      if (chosen) check(chosen);
    },
  });
  const confirm = h('button', {
    class: 'button primary',
    type: 'button',
    hidden: true,
    onclick: run,
    text: 'Import',
  });
  const { dialog } = openDialog(
    'Products as a table',
    (close) =>
      h(
        'div',
        { class: 'csv' },
        h('h3', { text: 'Export' }),
        h('p', { text: 'All products as a CSV file, which a spreadsheet opens.' }),
        h('button', { class: 'button', type: 'button', onclick: save, text: 'Save products.csv' }),
        h('h3', { text: 'Import' }),
        h('label', { for: 'csv-file', text: 'A CSV file with the same columns' }),
        h('p', {
          class: 'hint',
          id: 'csv-hint',
          text: 'A line with an id changes that product, one without adds one. It is checked first; everything is imported, or nothing.',
        }),
        file,
        result,
        h(
          'div',
          { class: 'ask-actions' },
          h('button', { class: 'button', type: 'button', onclick: close, text: 'Close' }),
          confirm,
        ),
      ),
    { wide: true },
  );
}

/** @param {{ data: { created: number, changed: number, unchanged: number } }} answer */
function summary({ data: { created, changed, unchanged } }) {
  return `${created} new, ${changed} changed${unchanged > 0 ? `, ${unchanged} as they are` : ''}.`;
}

/**
 * @param {string} title
 * @param {import('./api.js').ApiError} error
 */
function faultLines(title, { message, details }) {
  const more = details.length - listed;
  return [
    h('p', { class: 'error', text: `${title}: ${message}` }),
    ...(details.length > 0
      ? [
          h(
            'ul',
            {},
            details.slice(0, listed).map((detail) => h('li', { text: lineText(detail) })),
            more > 0 && h('li', { text: `and ${more} more` }),
          ),
        ]
      : []),
  ];
}

/** @param {import('./api.js').Detail} detail */
function lineText({ path, message }) {
  const [, line, column] = /^\/line\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (line === undefined) return message;
  return `Line ${line}${column ? `, ${column}` : ''}: ${message}`;
}
