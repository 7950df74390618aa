import type { ImportAnswer } from '#validators/site';
import { h } from '../shared/dom.ts';
import type { ApiError, Detail } from './api.ts';
import { download } from './api.ts';
import { openDialog } from './dialog.ts';
import { explain, translateDetails } from './errors.ts';
import { shortList, textButton, type ViewOptions } from './parts.ts';
import type { Words } from './words/en.ts';

const exportPath = '/api/admin/products.csv';
const importPath = '/api/admin/products/import';

/** The most errors that are listed; the others are counted. */
const listed = 50;

/** Exports the catalogue as a table for a spreadsheet, and imports it after a check that changes nothing. */
export function openCsv({
  words,
  session,
  toast,
  changed,
}: ViewOptions & { changed: () => unknown }) {
  const { csv } = words;
  const result = h('div', { class: 'csv-result', role: 'status' });
  let table: Blob | undefined;
  let isBusy = false;
  const setBusy = (value: boolean) => {
    isBusy = value;
    result.setAttribute('aria-busy', String(value));
  };

  const send = async (dryRun: boolean) => {
    const path = dryRun ? `${importPath}?dryRun=true` : importPath;
    return (await session.exchange<ImportAnswer>(path, { method: 'POST', body: table })).answer;
  };

  const check = async (file: File) => {
    if (isBusy) return;
    setBusy(true);
    table = new Blob([file], { type: 'text/csv' });
    confirm.hidden = true;
    result.replaceChildren(h('p', { text: csv.checking(file.name) }));
    try {
      const answer = await send(true);
      result.replaceChildren(h('p', { text: `${file.name}: ${summary(answer, csv)}` }));
      confirm.hidden = false;
      confirm.focus();
    } catch (error) {
      result.replaceChildren(...faultLines(file.name, error, words));
    }
    setBusy(false);
  };

  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const answer = await send(false);
      dialog.close();
      toast.show(csv.imported(summary(answer, csv)));
      await changed();
    } catch (error) {
      result.replaceChildren(...faultLines(csv.notImported, error, words));
    }
    setBusy(false);
  };

  const save = async () => {
    try {
      const blob = await session.withToken(exportPath, (token) => download(exportPath, token));
      const href = URL.createObjectURL(blob);
      h('a', { href, download: 'products.csv' }).click();
      // The browser has started the download by then.
      setTimeout(() => URL.revokeObjectURL(href), 1_000);
    } catch (error) {
      result.replaceChildren(h('p', { class: 'error', text: explain(error, words) }));
    }
  };

  const file: HTMLInputElement = h('input', {
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
  const confirm = textButton(csv.import, run, 'primary');
  confirm.hidden = true;
  const { dialog } = openDialog(
    csv.title,
    (close) =>
      h(
        'div',
        { class: 'csv' },
        h('h3', { text: csv.export }),
        h('p', { text: csv.exportText }),
        textButton(csv.save, save),
        h('h3', { text: csv.import }),
        h('label', { for: 'csv-file', text: csv.file }),
        h('p', {
          class: 'hint',
          id: 'csv-hint',
          text: csv.hint,
        }),
        file,
        result,
        h('div', { class: 'ask-actions' }, textButton(words.close, close), confirm),
      ),
    { wide: true },
  );
}

function summary({ data: { created, changed, unchanged } }: ImportAnswer, csv: Words['csv']) {
  return csv.summary(created, changed, unchanged);
}

/** @param subject the file, or what did not happen */
function faultLines(subject: string, error: ApiError, words: Words) {
  const lines = translateDetails(error.details, words).map((each) => lineText(each, words.csv));
  const reason = lines.length > 0 ? words.csv.faults(lines.length) : explain(error, words);
  return [
    h('p', { class: 'error', text: `${subject}${/\.$/.test(subject) ? '' : ':'} ${reason}` }),
    ...(lines.length > 0 ? [shortList(lines, listed, words)] : []),
  ];
}

function lineText({ path, message }: Detail, csv: Words['csv']) {
  const [, line, column] = /^\/line\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (line === undefined) return message;
  return `${csv.line(line, column ?? '')}: ${message}`;
}
