// Updates the catalogue while the visitor types and chooses. The server draws every list: the page at the address of a
// form or link is fetched, and the parts that differ are taken from it.

/** The parts of the page that differ between two lists. */
const parts = ['filters', 'products', 'languages'];

/** Milliseconds after the last key press before the search starts. */
const pause = 200;

/** Milliseconds after which the browser loads the page itself. */
const patience = 10_000;

type Entry = 'push' | 'replace';

/** Makes search, categories and paging work without a page load. */
export function followCatalogue(form: HTMLFormElement): void {
  const query = form.elements.namedItem('q');
  if (!(query instanceof HTMLInputElement)) return;
  let current: AbortController | undefined;
  let typing: ReturnType<typeof setTimeout> | undefined;

  /** Shows the list at an address; a request for an earlier one is cancelled. Returns whether it is shown. */
  async function show(address: URL): Promise<boolean> {
    clearTimeout(typing);
    current?.abort();
    const asked = new AbortController();
    current = asked;
    document.getElementById('products')?.setAttribute('aria-busy', 'true');
    try {
      take(await load(address, asked.signal));
    } catch {
      if (current !== asked) return false;
      // The browser reports the failure in its own way.
      location.assign(address);
      return false;
    }
    keepCategory(form, address);
    return true;
  }

  async function search(entry: Entry): Promise<void> {
    const address = addressOf(form);
    if (await show(address)) remember(address, entry);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search('push');
  });
  query.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => search('replace'), pause);
  });

  document.addEventListener('click', async (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    const address = new URL(link.href);
    const isPage = link.closest('.pages') !== null;
    if (!(await show(address))) return;
    query.value = address.searchParams.get('q') ?? '';
    remember(address, 'push');
    moveFocus(link, isPage);
  });

  window.addEventListener('popstate', async () => {
    const address = new URL(location.href);
    if (address.pathname !== '/' || !(await show(address))) return;
    query.value = address.searchParams.get('q') ?? '';
  });
}

async function load(address: URL, signal: AbortSignal): Promise<Document> {
  const response = await fetch(address, {
    headers: { accept: 'text/html' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Takes over the parts that differ. The count is a status element that stays, so its new text is read aloud. */
function take(page: Document): void {
  document.title = page.title;
  const count = document.getElementById('result-count');
  const text = page.getElementById('result-count')?.textContent ?? '';
  for (const id of parts) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (!old || !fresh) throw new Error(`The page has no #${id}.`);
    fresh.querySelector('#result-count')?.replaceWith(count ?? '');
    old.replaceChildren(...fresh.childNodes);
    old.removeAttribute('aria-busy');
  }
  if (count && count.textContent !== text) count.textContent = text;
}

/** Returns the link to another list that was clicked, without a modifier key. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (!(target instanceof Element)) return undefined;
  const link = target.closest('a');
  return link?.closest('.categories, .pages, #products .notice') ? link : undefined;
}

/** Returns the address that the form leads to. */
function addressOf(form: HTMLFormElement): URL {
  const address = new URL('/', location.href);
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text) address.searchParams.set(name, text);
  }
  return address;
}

/** Makes the next search stay in the shown category. */
function keepCategory(form: HTMLFormElement, address: URL): void {
  form.querySelector('input[name="category"]')?.remove();
  const value = address.searchParams.get('category');
  if (!value) return;
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: 'category', value });
  form.append(field);
}

function remember(address: URL, entry: Entry): void {
  const path = address.pathname + address.search;
  if (entry === 'push' && path !== location.pathname + location.search) {
    history.pushState(null, '', path);
  } else history.replaceState(history.state, '', path);
}

/** Keeps the focus on a link that is still there; after a change of page, moves it to the top of the list. */
function moveFocus(link: HTMLAnchorElement, isPage: boolean): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('#filters a');
  const same = [...links].find(({ href }) => href === link.href);
  if (same && !isPage) same.focus();
  else {
    document.getElementById('products')?.focus({ preventScroll: true });
    document.getElementById('catalogue')?.scrollIntoView();
  }
}
