import { formatDay, formatNumber } from '../render/format.js';
import { data, dialog, find, findAll, fromTemplate, onClick, words, write } from './dom.js';
import { addBody, detailsOf } from './drawer.js';
import { addRow } from './list.js';
import { rows } from './rows.js';
import { badgeOf } from './statuses.js';
import { toast } from './toast.js';

type Field = HTMLInputElement | HTMLSelectElement;

/** Returns the typed number, or the typed day (since 1970-01-01); undefined for texts and empty fields. */
function numberOf(field: Field): number | undefined {
  if (!(field instanceof HTMLInputElement) || Number.isNaN(field.valueAsNumber)) return undefined;
  return field.type === 'date' ? field.valueAsNumber / 86_400_000 : field.valueAsNumber;
}

/** Returns the typed value in the format of its column. */
function shown(field: Field): string {
  const number = numberOf(field);
  if (number === undefined) return field.value;
  return (field.type === 'date' ? formatDay : formatNumber)(number, data.locale);
}

/** Adds a row to this page, made from the server's empty row. */
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
  for (const [place, field] of fields.entries()) {
    const cell = row.children[place];
    if (cell instanceof HTMLElement) writeField(cell, field);
  }
  const title = link?.textContent || words(data.words.row, { n: index + 1 });
  link?.toggleAttribute('data-unnamed', link.textContent === '');
  write(link, title);
  addBody(index, title, find('div', fromTemplate('#new-body')));
  const details = detailsOf(index);
  for (const field of fields) {
    const place = details.get(field.dataset.key ?? '');
    if (place) writeField(place, field);
  }
  const status = fields.find(({ dataset }) => dataset.key === data.statusKey)?.value;
  if (status) row.dataset.status = status;
  const counted = fields.find(({ dataset }) => dataset.key === data.chart?.dateKey);
  const day = counted && numberOf(counted);
  if (day !== undefined) row.dataset.day = String(day);
  addRow(row);
  return title;
}

function writeField(place: HTMLElement, field: Field): void {
  const badge = field.dataset.key === data.statusKey ? badgeOf(field.value) : undefined;
  const inner = find('a.open', place) ?? place;
  inner.replaceChildren(badge ?? shown(field));
  const number = numberOf(field);
  if (number !== undefined) place.dataset.v = String(number);
}

/** Returns true if nothing was typed or chosen; blanks do not count. */
function isUntouched(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return field.selectedIndex <= 0;
  return field.value.trim() === '' && !field.validity.badInput;
}

/** Requires that some field has a value; otherwise the field with the name shows a message in the page's language. */
function checkFilled(box: HTMLDialogElement): void {
  const name = find<HTMLInputElement>('[data-name]', box) ?? find<HTMLInputElement>('input', box);
  const label = find('span', name?.parentElement ?? box)?.textContent ?? '';
  const isEmpty = findAll<Field>('[data-key]', box).every(isUntouched);
  name?.setCustomValidity(isEmpty ? words(data.words.fieldNeeded, { label }) : '');
}

export function startCreate(): void {
  const box = dialog('create');
  if (!box) return;
  // This is not a submit button, because Enter in a field would press it.
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
