import { type Html, html } from '../../base/html.js';
import { formatTenge } from '../../words/formats.js';
import type { Language } from '../../words/languages.js';
import { drawCode } from './draw-code.js';
import { isOpen, type ShownOrder } from './shown-order.js';
import { orderWords } from './words/words.js';

/** The context in which an order is drawn. */
export interface Drawing {
  readonly language: Language;
  /** IANA time zone of the shop. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The shop's contacts. */
  readonly contact: Html;
}

/** Returns the title of an order's page. */
export function orderTitle(order: ShownOrder, language: Language): string {
  const { statuses, number } = orderWords[language];
  return `${statuses[order.status].status} · ${number} ${order.number}`;
}

/** Draws the head of the page. Without scripts, the page of an open order reloads every few seconds. */
export function orderHead(order: ShownOrder): Html {
  return html`<link rel="stylesheet" href="/order.css">
<script type="module" src="/order.js"></script>
${isOpen(order) && html`<noscript><meta http-equiv="refresh" content="3"></noscript>`}`;
}

/**
 * Draws an order for its page, and for the dialog of the product page, which takes it from that page. The status is
 * always a direct child of the section: the script changes its text, which is read aloud.
 */
export function drawOrder(order: ShownOrder, drawing: Drawing): Html {
  const words = orderWords[drawing.language];
  const { status } = words.statuses[order.status];
  const expires = order.status === 'pending' && order.expiresAt;
  return html`<section id="order" class="order" tabindex="-1" aria-labelledby="order-title" data-order="${order.id}" data-status="${order.status}" data-now="${new Date(drawing.now).toISOString()}"${expires && html` data-expires="${expires}"`} data-lost="${words.lost}">
<p class="order-status" role="status">${status}</p>
<p class="order-lost" aria-live="polite"></p>
${drawHeading(order, drawing.language)}
${isPayable(order) ? drawCode({ ...order, ...drawing }) : drawOutcome(order, drawing)}
<p class="order-number">${words.number} <b>${order.number}</b></p>
</section>`;
}

function isPayable(order: ShownOrder): order is ShownOrder & { readonly qrImage: string } {
  return order.status === 'pending' && order.qrImage !== null;
}

/** Draws the amount while the order can be paid; afterwards, how it ended. */
function drawHeading(order: ShownOrder, language: Language): Html {
  const words = orderWords[language];
  const amount = drawAmount(order, language);
  const [product, ...others] = order.items.map(drawItem);
  const list =
    others.length > 0 &&
    html`<ul class="order-items">${order.items.map((item) => html`<li>${drawItem(item)} <span class="order-item-amount">${formatTenge(item.amount, language)}</span></li>`)}</ul>`;
  if (order.status === 'pending') {
    return html`<h1 id="order-title" class="order-title"><span class="order-label">${words.toPay}</span> ${amount}</h1>
${list || html`<p class="order-what">${product}</p>`}`;
  }
  return html`<h1 id="order-title" class="order-title">${words.statuses[order.status].title}</h1>
<p class="order-what">${amount} ${!list && product}</p>
${list}`;
}

function drawItem({ name, quantity }: ShownOrder['items'][number]): Html {
  return html`<span class="order-product"><bdi>${name}</bdi>&nbsp;×&nbsp;${quantity}</span>`;
}

/** Characters of an amount; a longer one is drawn smaller. */
const longAmount = 12;

function drawAmount({ amount }: ShownOrder, language: Language): Html {
  const text = formatTenge(amount, language);
  return html`<span class="order-amount${text.length > longAmount && ' long'}">${text}</span>`;
}

function drawOutcome(order: ShownOrder, { language, contact }: Drawing): Html {
  const words = orderWords[language];
  const product = order.items.length > 1 ? '/' : `/products/${order.productId}`;
  const text = html`<p class="order-text">${words.statuses[order.status].text}</p>`;
  switch (order.status) {
    case 'pending':
      return html`<p class="order-preparing">${words.preparing}</p>`;
    case 'paid':
      return html`${text}
<p class="order-text">${words.next}</p>
<div class="order-contact">${contact}</div>
<p class="order-actions"><a class="button" href="/">${words.back}</a></p>`;
    case 'unknown':
      return html`${text}
<div class="order-contact">${contact}</div>`;
    default:
      return html`${text}
<p class="order-actions"><a class="button primary" href="${product}">${words.again}</a></p>
<p class="order-small">${words.otherwise}</p>
<div class="order-contact">${contact}</div>`;
  }
}
