import { announce, data, find, findAll, words } from './dom.js';

const list = find('#list');
const listHome = list?.closest<HTMLElement>('.view');
const listMarker = document.createComment('list');
list?.before(listMarker);

/** Shows the view that the URL fragment names, or the view that contains the element with that ID. */
function show(moveFocus: boolean): void {
  const element = document.getElementById(location.hash.slice(1));
  const view = element?.closest<HTMLElement>('.view') ?? find('#home');
  if (!view) return;
  const changed = !view.classList.contains('on');
  for (const other of findAll('.view')) other.classList.toggle('on', other === view);
  for (const link of findAll('.nav-item')) {
    link.ariaCurrent = link.getAttribute('href') === `#${view.id}` ? 'page' : null;
  }
  moveList(view);
  const nav = find('#nav');
  if (nav?.matches(':popover-open')) nav.hidePopover();
  if (!changed) return;
  scrollTo(0, 0);
  const title = find('.view-title', view);
  announce(
    words(data.words.section, { title: title?.textContent ?? find('h1')?.textContent ?? '' }),
  );
  if (moveFocus) (title ?? find('#main'))?.focus({ preventScroll: true });
  if (element && element !== view) element.scrollIntoView();
}

/** Moves the page's only list into the registry of the view, or back to its original position. */
function moveList(view: HTMLElement): void {
  if (!list) return;
  const registry = find('[data-registry]', view);
  if (registry && view !== listHome) registry.append(list);
  else listMarker.after(list);
}

/** Returns true if the current view contains the list. */
export function listIsShown(): boolean {
  return list?.closest('.view')?.classList.contains('on') ?? false;
}

export function startViews(): void {
  addEventListener('hashchange', () => show(true));
  show(false);
}
