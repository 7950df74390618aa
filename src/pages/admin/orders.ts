import type { AdminOrderAnswer, OrderList } from '#validators/orders';
import { h, notice } from '../shared/dom.ts';
import { explain } from './errors.ts';
import { createKeyedRows } from './keyed-rows.ts';
import { orderRow } from './order-row.ts';
import type { Step } from './order-steps.ts';
import type { Order } from './order-words.ts';
import { inOrderOfUrgency, mergeOrders, whatHappened } from './order-words.ts';
import type { ViewOptions } from './parts.ts';
import { loadFailure, skeleton, textButton } from './parts.ts';
import { startPolling } from './polling.ts';
import { salesLine } from './sales.ts';
import type { Words } from './words/en.ts';

/** Orders of one request: the service's default. */
const shownTogether = 50;

/** Milliseconds between polls: somebody at the counter may wait for the word “paid”. */
const pollPause = 4_000;

/** Milliseconds between checks of whether sales are open. */
const salesPause = 20_000;

/** The orders of visitors: oversold ones first, then the newest, kept up to date while the page is visible. */
export function showOrders({ place, words, api }: ViewOptions) {
  const { frame, orders: texts } = words;
  let orders: readonly Order[] = [];
  let hasMore = false;
  let isLoaded = false;
  const list = h('div', { 'aria-busy': 'true' }, skeleton());
  const sales = salesLine(api, words);
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const trouble = h('p', { class: 'form-problem', hidden: true });
  const body = h('tbody');
  const show = createKeyedRows<Order>(body, (order) => orderRow(order, words, { move }));
  const table = orderTable(body, words);
  const filter: HTMLSelectElement = h(
    'select',
    { class: 'input', 'aria-label': texts.status, onchange: () => draw() },
    h('option', { value: '', text: texts.all }),
    h('option', { value: 'oversold', text: texts.oversold }),
    Object.entries(texts.statuses).map(([value, text]) => h('option', { value, text })),
  );
  const tools = h('div', { class: 'list-tools', hidden: true }, filter);
  const shownCount = h('p', { class: 'hint' });
  const more = textButton(words.showMore, () => loadMore(), 'more');
  more.hidden = true;
  place.replaceChildren(
    h('div', { class: 'view-head' }, h('h1', { tabindex: '-1', text: frame.orders })),
    sales.element,
    trouble,
    tools,
    list,
    shownCount,
    more,
    status,
  );

  /** @param after the order after which to continue */
  const read = (after?: string) =>
    api<OrderList>(
      `/api/admin/orders?${new URLSearchParams({ limit: String(shownTogether), ...(after ? { after } : {}) })}`,
    );

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    try {
      ({ orders, hasMore } = await read());
      isLoaded = true;
      draw();
    } catch (error) {
      list.replaceChildren(loadFailure(texts.notLoaded, error, words, load));
    }
    list.setAttribute('aria-busy', 'false');
  };

  const loadMore = async () => {
    more.setAttribute('aria-disabled', 'true');
    try {
      const page = await read(orders.at(-1)?.id);
      const known = new Set(orders.map(({ id }) => id));
      const added = page.orders.filter(({ id }) => !known.has(id));
      orders = [...orders, ...added];
      hasMore = page.hasMore;
      draw();
      const first: HTMLElement | null = body.querySelector(`[data-id="${added[0]?.id}"] a`);
      (first ?? filter).focus();
    } catch (error) {
      say(`${texts.notLoaded}. ${explain(error, words)}`);
    }
    more.removeAttribute('aria-disabled');
  };

  /** Reads the newest orders again. If that fails, the list stays, with a note that it is not up to date. */
  const refresh = async () => {
    if (!isLoaded) return;
    try {
      const page = await read();
      const merged = mergeOrders(orders, page.orders);
      const news = whatHappened(orders, page.orders, words);
      if (merged.length <= page.orders.length) hasMore = page.hasMore;
      orders = merged;
      say('');
      draw();
      if (news) status.textContent = news;
    } catch (error) {
      say(`${texts.notUpToDate} ${explain(error, words)}`);
    }
  };

  /** Moves an order to another step; other people may have moved it meanwhile. */
  const move = async ({ id, number }: Order, step: Step) => {
    try {
      const path = `/api/admin/orders/${id}/fulfillment`;
      const { order } = await api<AdminOrderAnswer>(path, {
        method: 'PUT',
        body: { status: step },
      });
      orders = orders.map((other) => (other.id === id ? order : other));
      draw();
      status.textContent = texts.moved(number, texts.steps[step]);
      const row = body.querySelector(`[data-id="${id}"]`);
      row?.querySelector<HTMLElement>('.steps button')?.focus();
    } catch (error) {
      await refresh();
      say(`${texts.notMoved(number)} ${explain(error, words)}`);
    }
  };

  const say = (text: string) => {
    trouble.hidden = text === '';
    if (trouble.textContent !== text) trouble.textContent = text;
  };

  const draw = () => {
    const chosen = filter.value;
    const matches = inOrderOfUrgency(orders).filter(
      (order) =>
        chosen === '' || order.status === chosen || (chosen === 'oversold' && order.oversold),
    );
    tools.hidden = orders.length === 0;
    more.hidden = !hasMore;
    const countText = hasMore ? texts.countOfNewest : texts.countOf;
    shownCount.textContent = orders.length === 0 ? '' : countText(matches.length, orders.length);
    show(matches);
    const wish = orders.length === 0 ? noOrders : matches.length === 0 ? noMatches : undefined;
    const [now] = list.children;
    if (!wish) {
      if (now !== table) list.replaceChildren(table);
    } else if (now?.getAttribute('data-notice') !== wish.name) {
      const element = wish(texts);
      element.dataset.notice = wish.name;
      list.replaceChildren(element);
    }
  };

  sales.load();
  const ready = load().then(() => false);
  const stops = [startPolling(refresh, pollPause), startPolling(sales.load, salesPause)];
  return {
    title: frame.orders,
    isDirty: () => false,
    ready,
    end: () => {
      for (const stop of stops) stop();
    },
  };
}

function orderTable(body: HTMLElement, { frame, orders }: Words) {
  const { time, product, amount, status, payment } = orders;
  const columns = [time, product, amount, status, payment];
  return h(
    'table',
    { class: 'rows orders' },
    h('caption', { class: 'visually-hidden', text: frame.orders }),
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

function noOrders({ none, noneText }: Words['orders']) {
  return notice({ title: none, text: noneText, level: 'h2' });
}

function noMatches({ noneLike, noneLikeText }: Words['orders']) {
  return notice({ title: noneLike, text: noneLikeText, level: 'h2' });
}
