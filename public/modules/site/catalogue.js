// The catalogue follows what is typed and chosen. The server draws every list: its page is fetched from the very
// address that a form or link leads to, and what differs is taken from it.

/** The parts of the page that differ between two lists. */
const parts = ['filters', 'products', 'languages'];

/** Milliseconds without a letter after which somebody is taken to have stopped typing. */
const pause = 200;

/** Milliseconds after which the browser's own way is taken. */
const patience = 10_000;

/** Makes search, categories and pages work without loading the page again. */
export function followCatalogue() {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('search'));
  const query = /** @type {HTMLInputElement} */ (form.elements.namedItem('q'));
  /** @type {AbortController | undefined} */
  let current;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  /**
   * Shows the list of an address; what was asked for before is given up. Gives whether it is shown.
   *
   * @param {URL} address
   */
  async function show(address) {
    clearTimeout(typing);
    current?.abort();
    const asked = new AbortController();
    current = asked;
    const products = document.getElementById('products');
    products?.setAttribute('aria-busy', 'true');
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

  /** @param {'push' | 'replace'} how */
  async function search(how) {
    const address = addressOf(form);
    if (await show(address)) remember(address, how);
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

/**
 * @param {URL} address
 * @param {AbortSignal} signal
 */
async function load(address, signal) {
  const response = await fetch(address, {
    headers: { accept: 'text/html' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/**
 * Takes over what differs. The count is a status of its own, so that it is read out when its text changes.
 *
 * @param {Document} page
 */
function take(page) {
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

/**
 * The link to another list, where a plain click on one is what happened.
 *
 * @param {MouseEvent} event
 */
function linkOf(event) {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (!(target instanceof Element)) return undefined;
  const link = target.closest('a');
  return link?.closest('.categories, .pages, #products .notice') ? link : undefined;
}

/**
 * The address that the form leads to.
 *
 * @param {HTMLFormElement} form
 */
function addressOf(form) {
  const address = new URL('/', location.href);
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text) address.searchParams.set(name, text);
  }
  return address;
}

/**
 * The next search stays in the category that is shown.
 *
 * @param {HTMLFormElement} form
 * @param {URL} address
 */
function keepCategory(form, address) {
  form.querySelector('input[name="category"]')?.remove();
  const value = address.searchParams.get('category');
  if (!value) return;
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: 'category', value });
  form.append(field);
}

/**
 * @param {URL} address
 * @param {'push' | 'replace'} how
 */
function remember(address, how) {
  const path = address.pathname + address.search;
  if (how === 'push' && path !== location.pathname + location.search) {
    history.pushState(null, '', path);
  } else history.replaceState(history.state, '', path);
}

/**
 * A link that is still there keeps the focus; after a change of page, reading begins at the top of the list.
 *
 * @param {HTMLAnchorElement} link
 * @param {boolean} isPage
 */
function moveFocus(link, isPage) {
  const same = [...document.querySelectorAll('#filters a')].find(
    (each) => each instanceof HTMLAnchorElement && each.href === link.href,
  );
  if (same instanceof HTMLElement && !isPage) return same.focus();
  document.getElementById('products')?.focus({ preventScroll: true });
  document.getElementById('catalogue')?.scrollIntoView();
}
