import { data, dialog, find, findAll, onClick, write } from './dom.js';
import { matchedRows } from './list.js';
import { openPane, shownPane } from './panes.js';
import { isTable, type Row, rowAt } from './rows.js';
import { badgeOf } from './statuses.js';

/** The details of each row, which are taken from the page. */
const bodies = new Map(
  findAll('#row-details > details').map((details) => [
    Number(details.id.slice(4)),
    { title: find('summary', details)?.textContent ?? '', body: find('summary + div', details) },
  ]),
);
find('#row-details')?.remove();

let opened: number | undefined;

/** Returns the index of the row that is open in the drawer or the reading pane. */
export function openedRow(): number | undefined {
  return isTable || !withExtras ? opened : shownPane();
}

export function titleOf(index: number): string {
  return bodies.get(index)?.title ?? '';
}

export function addBody(index: number, title: string, body: HTMLElement | null): void {
  bodies.set(index, { title, body });
}

/** Returns the elements that show a row's fields, by key. If a key appears twice, the first element is used. */
export function detailsOf(index: number): ReadonlyMap<string, HTMLElement> {
  const elements = findAll('dd', bodies.get(index)?.body ?? document.createElement('p'));
  const details = new Map<string, HTMLElement>();
  for (const [at, key] of data.fields.entries()) {
    const element = elements[at];
    if (element && !details.has(key)) details.set(key, element);
  }
  return details;
}

/** Opens a row in the drawer or in the reading pane. `from` is the element that was clicked. */
function openRow(index: number, from: HTMLElement): void {
  if (isTable || !withExtras) openDrawer(index);
  else openPane(index, from);
}

function openDrawer(index: number): void {
  const drawer = dialog('drawer');
  const details = bodies.get(index);
  if (!drawer || !details?.body) return;
  opened = index;
  write(find('#drawer-title'), details.title);
  find('.drawer-body', drawer)?.replaceChildren(details.body);
  const badge = badgeOf(rowAt(index)?.element.dataset.status);
  find('.drawer-status', drawer)?.replaceChildren(badge ?? '');
  for (const button of findAll<HTMLButtonElement>('[data-step]', drawer)) {
    button.disabled = rowBeside(button) === undefined;
  }
  if (!drawer.open) drawer.showModal();
}

/** Returns the row that the drawer's "previous" or "next" button opens. */
function rowBeside({ dataset }: HTMLElement): Row | undefined {
  const rows = matchedRows();
  return rows[rows.findIndex(({ index }) => index === opened) + Number(dataset.step)];
}

export function startDrawer(): void {
  const drawer = dialog('drawer');
  onClick('a.open, [data-open]', (link, event) => {
    event.preventDefault();
    const row = link.dataset.open ?? link.closest<HTMLElement>('[data-row]')?.dataset.row;
    openRow(Number(row), link);
  });
  onClick('tr[data-row]', (row, { target }) => {
    const chosen = getSelection()?.toString();
    const control = target instanceof Element && target.closest('a, button, input');
    if (!control && !chosen) openRow(Number(row.dataset.row), row);
  });
  onClick('[data-step]', (button) => {
    const next = rowBeside(button);
    if (next) openDrawer(next.index);
  });
  drawer?.addEventListener('close', () => {
    opened = undefined;
  });
}
