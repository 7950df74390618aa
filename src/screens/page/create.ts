import { formatDay, formatNumber } from '../render/format.js';
import { data, dialog, find, findAll, fromTemplate, onClick, words, write } from './dom.js';
import { addBody, detailsOf } from './drawer.js';
import { addRow } from './list.js';
import { rows } from './rows.js';
import { badgeOf } from './statuses.js';
import { toast } from './toast.js';

type Field = HTMLInputElement | HTMLSelectElement;

/** Returns a field's number, or its date in days since 1970-01-01. Returns undefined for text and empty fields. */
function numberOf(field: Field): number | undefined {
  if (!(field instanceof HTMLInputElement) || Number.isNaN(field.valueAsNumber)) return undefined;
  return field.type === 'date' ? field.valueAsNumber / 86_400_000 : field.valueAsNumber;
}

/** Returns a field's value as its column shows it. */
function shown(field: Field): string {
  const number = numberOf(field);
  if (number === undefined) return field.value;
  return (field.type === 'date' ? formatDay : formatNumber)(number, data.locale);
}

/** Adds a row to the page, based on the server's template. */
function create(box: HTMLDialogElement): void {
  const fields = findAll<Field>('[data-key]', box);
  const row = find('tr', fromTemplate('#new-row'));
  const index = rows.length;
  const title = row ? fill(row, fields, index) : data.create;
  toast(words(data.words.created, { title }));
}

function fill(row: HTMLElement, fields: readonly Field[], index: number): string {
  row.dataset.row = String(index);
  const link = find('a.open', row);
  for (const [column, field] of fields.entries()) {
    const cell = row.children[column];
    if (cell instanceof HTMLElement) writeField(cell, field);
  }
  const title = link?.textContent || words(data.words.row, { n: index + 1 });
  link?.toggleAttribute('data-unnamed', link.textContent === '');
  write(link, title);
  addBody(index, title, find('div', fromTemplate('#new-body')));
  const details = detailsOf(index);
  for (const field of fields) {
    const element = details.get(field.dataset.key ?? '');
    if (element) writeField(element, field);
  }
  const status = fields.find(({ dataset }) => dataset.key === data.statusKey)?.value;
  if (status) row.dataset.status = status;
  const counted = fields.find(({ dataset }) => dataset.key === data.chart?.dateKey);
  const day = counted && numberOf(counted);
  if (day !== undefined) row.dataset.day = String(day);
  addRow(row);
  return title;
}

function writeField(element: HTMLElement, field: Field): void {
  const badge = field.dataset.key === data.statusKey ? badgeOf(field.value) : undefined;
  const inner = find('a.open', element) ?? element;
  inner.replaceChildren(badge ?? shown(field));
  const number = numberOf(field);
  if (number !== undefined) element.dataset.v = String(number);
}

/** Returns true if the field is empty or contains only spaces. */
function isUntouched(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return field.selectedIndex <= 0;
  return field.value.trim() === '' && !field.validity.badInput;
}

/** Requires a value in at least one field. If all are empty, the name field shows a message in the page's language. */
function checkFilled(box: HTMLDialogElement): void {
  const name = find<HTMLInputElement>('[data-name]', box) ?? find<HTMLInputElement>('input', box);
  const label = find('span', name?.parentElement ?? box)?.textContent ?? '';
  const isEmpty = findAll<Field>('[data-key]', box).every(isUntouched);
  name?.setCustomValidity(isEmpty ? words(data.words.fieldNeeded, { label }) : '');
}

export function startCreate(): void {
  const box = dialog('create');
  if (!box) return;
  // The cancel button is not a submit button, so that Enter in a field does not activate it.
  onClick('#create [value="cancel"]', () => box.close());
  box.addEventListener('input', () => checkFilled(box));
  onClick('[data-create]', () => {
    find<HTMLFormElement>('form', box)?.reset();
    checkFilled(box);
    box.returnValue = '';
    box.showModal();
  });
  box.addEventListener('close', () => {
    if (box.returnValue === 'ok') create(box);
  });
}
