import { data, dialog, find, findAll, fromTemplate, onClick, words, write } from './dom.js';
import { detailsOf, openedRow, titleOf } from './drawer.js';
import { matchedRows, refresh } from './list.js';
import { isTable, type Row, rowAt, rows } from './rows.js';
import { badgeOf, statusOf } from './statuses.js';
import { toast } from './toast.js';

type Kind = 'approve' | 'reject';

/** Rows that were decided on this page. A decision does not always change the row's status. */
const decided = new Set<number>();
let pending: number | undefined;

/** Returns the index of the row that the scenario card acts on: the open row, or else the next undecided one. */
function target(): number | undefined {
  return openedRow() ?? nextOf(matchedRows()) ?? nextOf(rows);
}

/** Returns the index of the first row that waits for a decision. Rejected rows come last. */
function nextOf(among: readonly Row[]): number | undefined {
  const open = among.filter(isUndecided);
  const rejected = data.scenario?.rejectTo;
  return (open.find(({ element }) => element.dataset.status !== rejected) ?? open[0])?.index;
}

function isUndecided({ index, element: { dataset } }: Row): boolean {
  const status = statusOf(dataset.status);
  const done = status && (status.dim || status.key === data.scenario?.approveTo);
  return !done && !decided.has(index);
}

function writeTarget(): void {
  const line = find('#scenario [data-target]');
  if (!line) return;
  const index = target();
  line.textContent =
    index === undefined
      ? data.words.nothingLeft
      : words(data.words.target, { title: nameOf(index) });
  for (const button of findAll<HTMLButtonElement>('#scenario [data-act]')) {
    button.disabled = index === undefined;
  }
}

function nameOf(index: number): string {
  return titleOf(index) || words(data.words.row, { n: index + 1 });
}

/** Opens the confirmation dialog of the main action. */
function ask(index: number | undefined): void {
  const box = dialog('confirm');
  if (!box) return;
  pending = index;
  const who = index === undefined ? '' : words(data.words.target, { title: nameOf(index) });
  write(find('.target', box), who);
  box.returnValue = '';
  box.showModal();
}

/** Changes the row's status as defined by the scenario, and offers to undo the change. */
function act(kind: Kind, index: number | undefined, how = ''): void {
  const { scenario } = data;
  if (!scenario) return;
  dialog('drawer')?.close();
  const action = how || (kind === 'approve' ? scenario.control : scenario.reject);
  const row = index === undefined ? undefined : rowAt(index);
  if (!row) {
    const badge = fromTemplate('#results').children[kind === 'approve' ? 0 : 1];
    if (badge) find('[data-result]')?.replaceChildren(badge);
    toast(action);
    return;
  }
  const before = row.element.dataset.status;
  const status = kind === 'approve' ? scenario.approveTo : scenario.rejectTo;
  const title = nameOf(row.index);
  const label = statusOf(status)?.label;
  decided.add(row.index);
  if (status !== undefined) setStatus(row, status);
  settle(row);
  const text = label
    ? words(data.words.moved, { title, status: label })
    : words(data.words.acted, { title, action });
  toast(text, () => {
    decided.delete(row.index);
    if (status !== undefined) setStatus(row, before);
    settle(row);
    toast(words(data.words.undone, { title }));
  });
}

function settle(row: Row): void {
  row.searched = undefined;
  refresh();
  writeTarget();
}

/** Updates a row's status everywhere on the page. */
function setStatus({ element, index }: Row, status: string | undefined): void {
  const known = statusOf(status);
  if (status === undefined) delete element.dataset.status;
  else element.dataset.status = status;
  element.classList.toggle('dim', known?.dim === true);
  const cell = isTable ? findAll('td', element)[data.statusPlace] : undefined;
  if (cell) {
    // An unknown status has no rank to sort by.
    if (known) cell.dataset.v = String(known.rank);
    else delete cell.dataset.v;
    writeCell(cell, index, status);
  }
  const elements = [
    find('.item-status', element),
    find(`#pane-${index} .pane-status`),
    find(`#pane-${index} [data-state]`),
    data.statusKey === undefined ? undefined : detailsOf(index).get(data.statusKey),
  ];
  for (const element of elements) element?.replaceChildren(badgeOf(status) ?? status ?? '');
}

/** Writes a status into a table cell. Keeps the cell's link and subtitle. */
function writeCell(cell: HTMLElement, index: number, status: string | undefined): void {
  const link = find('a.open', cell);
  const shown = badgeOf(status) ?? status ?? '';
  if (link) link.replaceChildren(shown || words(data.words.row, { n: index + 1 }));
  else cell.replaceChildren(shown, ...findAll('.sub', cell));
}

/** Starts the main action from another part of the page, such as the end of a wizard. */
export function startScenarioAction(): void {
  ask(target());
}

export function startScenario(): void {
  const box = dialog('confirm');
  if (!box) return;
  // The cancel button is not a submit button, so that Enter in a field does not activate it.
  onClick('#confirm [value="cancel"]', () => box.close());
  onClick('[data-act]', (button) => {
    const inCard = button.closest('#scenario') !== null;
    const pane = button.closest<HTMLElement>('[data-pane]')?.dataset.pane;
    const index = pane === undefined ? (inCard ? target() : openedRow()) : Number(pane);
    if (button.dataset.act === 'approve') ask(index);
    else act('reject', index);
  });
  box.addEventListener('change', ({ target: input }) => {
    const wording = find<HTMLTextAreaElement>('textarea', box);
    if (wording && input instanceof HTMLInputElement) wording.value = input.value;
  });
  box.addEventListener('close', () => {
    const wording = find<HTMLTextAreaElement>('textarea', box)?.value.trim();
    if (box.returnValue === 'ok') act('approve', pending, wording);
  });
  document.addEventListener('msgsite:opened', writeTarget);
  writeTarget();
}
