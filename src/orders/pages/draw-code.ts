import { type Html, html, safeUrl } from '../../base/html.js';
import { formatTenge, formatTimeLeft, locales } from '../../words/formats.js';
import type { Language } from '../../words/languages.js';
import type { ShownOrder } from './shown-order.js';
import type { OrderWords } from './words/order-words.js';
import { orderWords } from './words/words.js';

/** Pixels of a side of the QR code; the style sheet may enlarge it. */
const codeSize = 240;

export interface CodeDrawing extends Pick<ShownOrder, 'amount' | 'qrToken' | 'expiresAt'> {
  readonly qrImage: string;
  readonly language: Language;
  /** IANA time zone of the shop. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Draws the code and what to do with it. If the code is a link, the style sheet shows a button on phones, and the code
 * once `order-show` is opened.
 */
export function drawCode(code: CodeDrawing): Html {
  const words = orderWords[code.language];
  const link = linkOf(code.qrToken);
  const alt = words.codeAlt.replace('{}', formatTenge(code.amount, code.language));
  return html`${link ? drawLink(link, words) : html`<p class="order-how">${words.scan}</p>`}
<p class="order-code"><img src="${code.qrImage}" alt="${alt}" width="${codeSize}" height="${codeSize}"></p>
${drawUntil(code, words)}`;
}

/** Returns the link that the button opens, if it is https. */
function linkOf(qrToken: string | null): string | undefined {
  const link = safeUrl(qrToken ?? '');
  return link?.startsWith('https:') ? link : undefined;
}

function drawLink(link: string, words: OrderWords): Html {
  return html`<p class="order-how elsewhere">${words.scan}</p>
<p class="order-how here">${words.open}</p>
<p class="order-open"><a class="button primary" href="${link}" rel="noreferrer">${words.openApp}</a></p>
<details class="order-show"><summary>${words.showCode}</summary></details>`;
}

function drawUntil({ expiresAt, ...options }: CodeDrawing, words: OrderWords): Html {
  const moment = Date.parse(expiresAt ?? '');
  if (Number.isNaN(moment)) return html``;
  const left = moment - options.now;
  const text = left > 0 ? words.left.replace('{}', formatTimeLeft(left)) : words.checking;
  return html`<p class="order-until">${words.until} <time datetime="${new Date(moment).toISOString()}">${formatTime(moment, options)}</time> <span class="order-left" data-left="${words.left}" data-checking="${words.checking}">${text}</span></p>`;
}

interface TimeOptions {
  readonly language: Language;
  /** IANA time zone of the shop. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns `14:35`, with the date if that is not today in the shop. */
function formatTime(moment: number, { language, zone, now }: TimeOptions): string {
  const isToday = dayOf(moment, zone) === dayOf(now, zone);
  const parts = isToday
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const);
  return new Intl.DateTimeFormat(locales[language], { ...parts, timeZone: zone }).format(moment);
}

function dayOf(moment: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(moment);
}
