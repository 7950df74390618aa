import { h } from '../shared/dom.ts';
import { formatMoment, formatNumber, formatPrice } from '../shared/format.ts';
import { orderSteps, type StepActs } from './order-steps.ts';
import { itemsOf, type Order } from './order-words.ts';
import type { Words } from './words/en.ts';

/** One order of the list. */
export function orderRow(order: Order, words: Words, acts: StepActs) {
  const { orders } = words;
  const { id, number, items, amount, status, oversold, corrected, createdAt } = order;
  return h(
    'tr',
    { class: oversold ? 'row order-row oversold' : 'row order-row', 'data-id': id },
    h(
      'td',
      { class: 'order-time' },
      h('time', { datetime: createdAt, text: formatMoment(createdAt, words) }),
    ),
    h(
      'th',
      { class: 'order-name', scope: 'row' },
      items.map((item) =>
        h(
          'p',
          { class: item.oversold ? 'order-item oversold' : 'order-item' },
          h('a', { class: 'row-name', href: `#products/${item.productId}`, text: item.name }),
          ` × ${formatNumber(item.quantity, words)}`,
        ),
      ),
      h('p', { class: 'row-note' }, `${orders.order} `, h('b', { text: number })),
      status === 'paid' && handover(order, words),
    ),
    h('td', { class: 'order-amount price', text: formatPrice(amount, words) }),
    h(
      'td',
      { class: 'order-status' },
      h('span', { class: `status status-${status}`, text: orders.statuses[status] }),
      status === 'paid' && orderSteps(order, words, acts),
      oversold &&
        h('p', {
          class: 'oversold-note',
          text: orders.oversoldText,
        }),
      corrected &&
        h('p', {
          class: 'corrected-note',
          text: orders.corrected(orders.statuses[corrected.status]),
        }),
      status === 'unknown' &&
        h('p', {
          class: 'row-note',
          text: orders.unknownText,
        }),
    ),
    h('td', { class: 'order-payment' }, payment(order, orders)),
  );
}

/** How and when the order is handed over, and whom to call. */
function handover({ number, fulfillment, contact, note }: Order, words: Words) {
  const { orders } = words;
  const { method, address, requestedFor } = fulfillment;
  const when = requestedFor ? formatMoment(requestedFor, words) : orders.soon;
  const digits = contact?.phone.replace(/\D/g, '');
  const text = encodeURIComponent(orders.greeting(number));
  return h(
    'div',
    { class: 'handover' },
    h('p', { text: [orders[method], address, when].filter(Boolean).join(' · ') }),
    contact &&
      h(
        'p',
        {},
        `${contact.name} `,
        h('a', {
          href: `tel:${contact.phone}`,
          'aria-label': orders.call(contact.phone),
          text: contact.phone,
        }),
        ' ',
        h('a', {
          href: `https://wa.me/${digits}?text=${text}`,
          target: '_blank',
          rel: 'noopener noreferrer',
          text: orders.write,
        }),
      ),
    note && h('p', { class: 'customer-note', text: note }),
  );
}

function payment(order: Order, words: Words['orders']) {
  const { paymentId, status, corrected, amount } = order;
  if (paymentId === null) return h('p', { class: 'row-note', text: words.noPayment });
  const number = h(
    'p',
    { class: 'row-note' },
    `${words.payment} `,
    h('code', { text: String(paymentId) }),
  );
  if (status !== 'paid' && corrected?.status !== 'paid') return number;
  return [
    number,
    h(
      'details',
      { class: 'refund' },
      h(
        'summary',
        {},
        words.refund,
        h('span', { class: 'visually-hidden', text: `: ${itemsOf(order, { orders: words })}` }),
      ),
      h('p', { text: words.refundText }),
      h('code', { text: `msgsite pay refund ${paymentId} --amount ${amount}` }),
    ),
  ];
}
