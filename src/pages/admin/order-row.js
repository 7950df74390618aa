import { h } from '../shared/dom.ts';
import { formatPrice } from '../shared/format.ts';
import { statusNames } from './order-words.js';

/** @typedef {import('./order-words.js').Order} Order */

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/**
 * One order of the list.
 *
 * @param {Order} order
 */
export function orderRow(order) {
  const { id, productId, name, quantity, amount, status, oversold, corrected, createdAt } = order;
  return h(
    'tr',
    { class: oversold ? 'row order-row oversold' : 'row order-row', 'data-id': id },
    h('td', { class: 'order-time' }, h('time', { datetime: createdAt, text: when(createdAt) })),
    h(
      'th',
      { class: 'order-name', scope: 'row' },
      h('a', { class: 'row-name', href: `#products/${productId}`, text: name }),
      h('p', { class: 'row-note' }, 'Order ', h('code', { text: id })),
    ),
    h('td', { class: 'order-quantity', text: `${quantity} ×` }),
    h('td', { class: 'order-amount price', text: formatPrice(amount) }),
    h(
      'td',
      { class: 'order-status' },
      h('span', { class: `status status-${status}`, text: statusNames[status] }),
      oversold &&
        h('p', {
          class: 'oversold-note',
          text: 'Oversold: paid, but too little was left. Call the buyer or give the money back.',
        }),
      corrected &&
        h('p', {
          class: 'corrected-note',
          text: `Corrected: the bank now reports “${statusNames[corrected.status]}”. Check the payment and settle it with the buyer.`,
        }),
      status === 'unknown' &&
        h('p', {
          class: 'row-note',
          text: 'The bank’s answer was not clear. It is asked again by itself.',
        }),
    ),
    h('td', { class: 'order-payment' }, payment(order)),
  );
}

/** @param {Order} order */
function payment({ paymentId, status, corrected, amount, name }) {
  if (paymentId === null) return h('p', { class: 'row-note', text: 'No payment' });
  const number = h('p', { class: 'row-note' }, 'Payment ', h('code', { text: String(paymentId) }));
  if (status !== 'paid' && corrected?.status !== 'paid') return number;
  return [
    number,
    h(
      'details',
      { class: 'refund' },
      h(
        'summary',
        {},
        'Give money back',
        h('span', { class: 'visually-hidden', text: ` for ${name}` }),
      ),
      h('p', { text: 'On the machine of the shop, as a cashier who is signed in:' }),
      h('code', { text: `msgsite pay refund ${paymentId} --amount ${amount}` }),
    ),
  ];
}

/** @param {string} text */
function when(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : moment.format(date);
}
