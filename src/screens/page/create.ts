import { formatDay, formatNumber } from '../render/format.js';
import { data, dialog, find, findAll, fromTemplate, onClick, words, write } from './dom.js';
import { addBody, detailsOf } from './drawer.js';
import { addRow } from './list.js';
import { rows } from './rows.js';
import { badgeOf } from './statuses.js';
import { toast } from './toast.js';

type Field = HTMLInputElement | HTMLSelectElement;

/** The number or the day (since 1970-01-01) that was typed; undefined for texts and empty fields. */
function numberOf(field: Field): number | undefined {
  if (!(field instanceof HTMLInputElement) || Number.isNaN(field.valueAsNumber)) return undefined;
  return field.type === 'date' ? field.valueAsNumber / 86_400_000 : field.valueAsNumber;
}

/** What was typed, in the way of its column. */
function shown(field: Field): string {
  const number = numberOf(field);
  if (number === undefined) return field.value;
  return (field.type === 'date' ? formatDay : formatNumber)(number, data.locale);
}

/** A new row on this page, made of the empty one that the server left. */
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

/** Whether nothing was typed or chosen; blanks are nothing. */
function isUntouched(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return field.selectedIndex <= 0;
  return field.value.trim() === '' && !field.validity.badInput;
}

/** A record of nothing is none: says at the field that names it, in the page's language, what is missing. */
function checkFilled(box: HTMLDialogElement): void {
  const name = find<HTMLInputElement>('[data-name]', box) ?? find<HTMLInputElement>('input', box);
  const label = find('span', name?.parentElement ?? box)?.textContent ?? '';
  const isEmpty = findAll<Field>('[data-key]', box).every(isUntouched);
  name?.setCustomValidity(isEmpty ? words(data.words.fieldNeeded, { label }) : '');
}

export function startCreate(): void {
  const box = dialog('create');
  if (!box) return;
  // A button of its own: Enter in a field presses the first one that sends the form.
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
