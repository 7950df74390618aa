import { type Content, type Html, html, safeUrl } from '../../base/html.js';
import type { ShopCard } from './site-facts.js';
import type { Words } from './words/en.js';

/** Digits of the longest telephone number there can be (E.164), and of the shortest that is worth a link. */
const fewestDigits = 3;
/** The most digits of a telephone number that becomes a link (E.164). */
const mostDigits = 15;

/**
 * A telephone number as links want it: `8 701 …` and `+7 (701) …` become `+7701…`. Undefined for a text that is no
 * number.
 */
export function dialled(text: string): string | undefined {
  const [number = ''] = text.split(/[,;]/);
  if (/[^\d\s()+.\-–]/.test(number)) return undefined;
  const digits = number.replace(/\D/g, '');
  if (digits.length < fewestDigits || digits.length > mostDigits) return undefined;
  if (number.includes('+')) return `+${digits}`;
  // As numbers are written in Kazakhstan: 8 stands for the country's own code.
  if (/^[78]\d{10}$/.test(digits)) return `+7${digits.slice(1)}`;
  return digits;
}

export function phoneLink(phone: string): string | undefined {
  const number = dialled(phone);
  return number && `tel:${number}`;
}

/** A link that opens a chat: of a number, or as the owner gave it. */
export function whatsappLink(whatsapp: string): string | undefined {
  const number = dialled(whatsapp);
  if (number) return `https://wa.me/${number.replace('+', '')}`;
  return safeUrl(whatsapp);
}

/** Phone and WhatsApp as a list of links; undefined where the shop says neither. */
export function contactList(shop: ShopCard, words: Words): Html | undefined {
  const phone = shop.phone && entry(words.phone, linked(phoneLink(shop.phone), shop.phone));
  const chat = shop.whatsapp && entry(words.whatsapp, whatsapp(shop.whatsapp, words));
  return phone || chat ? html`<dl class="contact">${phone || null}${chat || null}</dl>` : undefined;
}

/** How to find the shop, for the foot of every page; undefined where the shop says nothing. */
export function shopCard(shop: ShopCard, words: Words): Html | undefined {
  const map = shop.map && safeUrl(shop.map);
  const rows = [
    shop.address || map
      ? entry(words.address, [
          shop.address,
          map ? html` <a href="${map}" rel="noopener">${words.map}</a>` : null,
        ])
      : null,
    shop.hours ? entry(words.hours, openingHours(shop.hours, words)) : null,
    shop.phone ? entry(words.phone, linked(phoneLink(shop.phone), shop.phone)) : null,
    shop.whatsapp ? entry(words.whatsapp, whatsapp(shop.whatsapp, words)) : null,
  ];
  if (!rows.some(Boolean)) return undefined;
  return html`<section class="shop-card" aria-labelledby="contacts"><h2 id="contacts">${words.contacts}</h2>
<dl class="contact">${rows}</dl></section>`;
}

function whatsapp(text: string, words: Words): Content {
  const link = whatsappLink(text);
  // An address says nothing to a reader; a number does.
  return linked(link, dialled(text) === undefined && link ? words.whatsapp : text);
}

function linked(address: string | undefined, text: string): Content {
  return address ? html`<a href="${address}">${text}</a>` : text;
}

function entry(name: string, value: Content): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Days as schema.org writes opening hours: `Mo-Fr 09:00-18:00, Sa 10:00-15:00`. */
const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const days = /^(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:-(?:Mo|Tu|We|Th|Fr|Sa|Su))?$/;
const times = /^\d{1,2}:\d{2}-\d{1,2}:\d{2}$/;

/** Opening hours as people of a language read them; a text that is not written in that form stays as it is. */
export function openingHours(hours: string, words: Pick<Words, 'days'>): string {
  const parts = hours.split(/[\s,;]+/).filter(Boolean);
  if (!parts.every((part) => days.test(part) || times.test(part))) return hours;
  const named = hours.replace(/[MTWFS][a-z]/g, (name) => words.days[names.indexOf(name)] ?? name);
  return named === hours ? hours : named.replaceAll('-', '–');
}
