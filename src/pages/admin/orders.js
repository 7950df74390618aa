import { failureNotice, h, notice } from '../shared/dom.ts';
import { createKeyedRows } from './keyed-rows.js';
import { orderRow } from './order-row.js';
import { inOrderOfUrgency, mergeOrders, statusNames, whatHappened } from './order-words.js';
import { skeleton } from './parts.js';
import { startPolling } from './polling.js';

/** @typedef {import('./order-words.js').Order} Order */

/** As many as the service gives at once by default. */
const shownTogether = 50;

/** Milliseconds; somebody at the counter waits for the word “paid”. */
const pollPause = 4_000;

/**
 * What visitors have bought: newest first, oversold ones above all, kept up to date while the page is seen.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showOrders({ place, api }) {
  /** @type {readonly Order[]} */
  let orders = [];
  let hasMore = false;
  let isLoaded = false;
  const list = h('div', { 'aria-busy': 'true' }, skeleton());
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const trouble = h('p', { class: 'form-problem', hidden: true });
  const body = h('tbody');
  const show = createKeyedRows(body, orderRow);
  const table = orderTable(body);
  /** @type {HTMLSelectElement} */
  const filter = h(
    'select',
    { class: 'input', 'aria-label': 'Status', onchange: () => draw() },
    h('option', { value: '', text: 'All orders' }),
    h('option', { value: 'oversold', text: 'Oversold' }),
    Object.entries(statusNames).map(([value, text]) => h('option', { value, text })),
  );
  const tools = h('div', { class: 'list-tools', hidden: true }, filter);
  const shownCount = h('p', { class: 'hint' });
  const more = h('button', {
    class: 'button more',
    type: 'button',
    hidden: true,
    onclick: () => loadMore(),
    text: 'Show more',
  });
  place.replaceChildren(
    h('div', { class: 'view-head' }, h('h1', { tabindex: '-1', text: 'Orders' })),
    trouble,
    tools,
    list,
    shownCount,
    more,
    moneyBack(),
    status,
  );

  /** @param {string} [after] the order after which to continue */
  const read = (after) =>
    api(
      `/api/admin/orders?${new URLSearchParams({ limit: String(shownTogether), ...(after ? { after } : {}) })}`,
    );

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    try {
      ({ orders, hasMore } = await read());
      isLoaded = true;
      draw();
    } catch (error) {
      list.replaceChildren(failureNotice('The orders could not be loaded', error, load, 'h2'));
    }
    list.setAttribute('aria-busy', 'false');
  };

  const loadMore = async () => {
    more.setAttribute('aria-disabled', 'true');
    try {
      const page = await read(orders.at(-1)?.id);
      const known = new Set(orders.map(({ id }) => id));
      const added = page.orders.filter((/** @type {Order} */ { id }) => !known.has(id));
      orders = [...orders, ...added];
      hasMore = page.hasMore;
      draw();
      /** @type {HTMLElement | null} */
      const first = body.querySelector(`[data-id="${added[0]?.id}"] a`);
      (first ?? filter).focus();
    } catch (error) {
      say(`More orders could not be loaded. ${error.message}`);
    }
    more.removeAttribute('aria-disabled');
  };

  /** The newest ones again; where that fails, what is shown stays, and it is said that it is not new. */
  const refresh = async () => {
    if (!isLoaded) return;
    try {
      const page = await read();
      const merged = mergeOrders(orders, page.orders);
      const news = whatHappened(orders, page.orders);
      if (merged.length <= page.orders.length) hasMore = page.hasMore;
      orders = merged;
      say('');
      draw();
      if (news) status.textContent = news;
    } catch (error) {
      say(`The orders are not up to date. ${error.message}`);
    }
  };

  /** @param {string} text */
  const say = (text) => {
    trouble.hidden = text === '';
    if (trouble.textContent !== text) trouble.textContent = text;
  };

  const draw = () => {
    const wanted = filter.value;
    const matches = inOrderOfUrgency(orders).filter(
      (order) =>
        wanted === '' || order.status === wanted || (wanted === 'oversold' && order.oversold),
    );
    tools.hidden = orders.length === 0;
    more.hidden = !hasMore;
    shownCount.textContent =
      orders.length === 0 ? '' : countText(matches.length, orders.length, hasMore);
    show(matches);
    const wish = orders.length === 0 ? noOrders : matches.length === 0 ? noMatches : undefined;
    const [now] = list.children;
    if (!wish) {
      if (now !== table) list.replaceChildren(table);
    } else if (now?.getAttribute('data-notice') !== wish.name) {
      const element = wish();
      element.dataset.notice = wish.name;
      list.replaceChildren(element);
    }
  };

  const ready = load().then(() => false);
  return { title: 'Orders', isDirty: () => false, ready, end: startPolling(refresh, pollPause) };
}

/** @param {HTMLElement} body */
function orderTable(body) {
  const columns = ['Time', 'Product', 'Quantity', 'Amount', 'Status', 'Payment'];
  return h(
    'table',
    { class: 'rows orders' },
    h('caption', { class: 'visually-hidden', text: 'Orders' }),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        columns.map((text) => h('th', { scope: 'col', text })),
      ),
    ),
    body,
  );
}

/**
 * @param {number} shown
 * @param {number} loaded
 * @param {boolean} hasMore
 */
function countText(shown, loaded, hasMore) {
  const of = hasMore ? `the newest ${loaded}` : `${loaded}`;
  return shown === loaded && !hasMore ? `${loaded} in all.` : `${shown} of ${of}.`;
}

function moneyBack() {
  return h(
    'details',
    { class: 'recent' },
    h('summary', { text: 'How to give money back' }),
    h(
      'p',
      {},
      'Money goes back through the bank, not from this page: ',
      h('code', { text: 'msgsite pay refund <payment> --amount <tenge>' }),
      ' returns all of a payment or a part of it, after a question. The count of a product is not raised by that: change it in the list of products. docs/payments/till.md says more.',
    ),
  );
}

function noOrders() {
  return notice({
    title: 'No orders yet',
    text: 'What visitors buy on the site appears here by itself, within seconds.',
    level: 'h2',
  });
}

function noMatches() {
  return notice({
    title: 'No such order',
    text: 'Among the orders that are loaded, none is like that.',
    level: 'h2',
  });
}
