// The catalogue follows what is typed and chosen. The server draws every list: its page is fetched from the very
// address that a form or link leads to, and what differs is taken from it.

/** The parts of the page that differ between two lists. */
const parts = ['filters', 'products', 'languages'];

/** Milliseconds without a key press after which somebody has stopped typing. */
const pause = 200;

/** Milliseconds after which the browser loads the page itself. */
const patience = 10_000;

type Entry = 'push' | 'replace';

/** Makes search, categories and pages work without loading the page again. */
export function followCatalogue(form: HTMLFormElement): void {
  const query = form.elements.namedItem('q');
  if (!(query instanceof HTMLInputElement)) return;
  let current: AbortController | undefined;
  let typing: ReturnType<typeof setTimeout> | undefined;

  /** Shows the list of an address in place of the one requested before. Returns whether it is shown. */
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
      // Offline, too slow or refused: the browser says so in its own way.
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

/** Takes over what differs. The count is a status of its own, so that it is read aloud when its text changes. */
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

/** Returns the link to another list after a plain click on one. */
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

/** The next search stays in the category that is shown. */
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

/** A link that is still there keeps the focus; after a change of page, reading begins at the top of the list. */
function moveFocus(link: HTMLAnchorElement, isPage: boolean): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('#filters a');
  const same = [...links].find(({ href }) => href === link.href);
  if (same && !isPage) same.focus();
  else {
    document.getElementById('products')?.focus({ preventScroll: true });
    document.getElementById('catalogue')?.scrollIntoView();
  }
}
