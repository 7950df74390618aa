import type { Shop } from '#validators/site';
import { type Content, type Html, html, safeUrl } from '../../base/html.js';
import type { Words } from './words/en.js';

/** Minimum number of digits in a telephone link. */
const minDigits = 3;
/** Maximum number of digits in a telephone link (E.164). */
const maxDigits = 15;

/**
 * Returns the digits of a telephone number for a link: `8 701 …` and `+7 (701) …` become `+7701…`. Returns undefined if
 * the text is not a telephone number.
 */
export function dialled(text: string): string | undefined {
  const [number = ''] = text.split(/[,;]/);
  if (/[^\d\s()+.\-–]/.test(number)) return undefined;
  const digits = number.replace(/\D/g, '');
  if (digits.length < minDigits || digits.length > maxDigits) return undefined;
  if (number.includes('+')) return `+${digits}`;
  // In Kazakhstan, 8 can be dialled instead of the country code.
  if (/^[78]\d{10}$/.test(digits)) return `+7${digits.slice(1)}`;
  return digits;
}

export function phoneLink(phone: string): string | undefined {
  const number = dialled(phone);
  return number && `tel:${number}`;
}

/** Returns a link that opens a chat. `whatsapp` is a telephone number or a link. */
export function whatsappLink(whatsapp: string): string | undefined {
  const number = dialled(whatsapp);
  if (number) return `https://wa.me/${number.replace('+', '')}`;
  return safeUrl(whatsapp);
}

/** Draws the phone and WhatsApp links. Returns undefined if the shop has neither. */
export function contactList(shop: Shop, words: Words): Html | undefined {
  const phone = shop.phone && entry(words.phone, linked(phoneLink(shop.phone), shop.phone));
  const chat = shop.whatsapp && entry(words.whatsapp, whatsapp(shop.whatsapp, words));
  return phone || chat ? html`<dl class="contact">${phone || null}${chat || null}</dl>` : undefined;
}

/** Draws the shop's contact details for the footer. Returns undefined if there are none. */
export function shopCard(shop: Shop, words: Words): Html | undefined {
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
  // A number is shown as it is. A link is replaced by a label.
  return linked(link, dialled(text) === undefined && link ? words.whatsapp : text);
}

function linked(address: string | undefined, text: string): Content {
  return address ? html`<a href="${address}">${text}</a>` : text;
}

function entry(name: string, value: Content): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Day names in schema.org opening hours, such as `Mo-Fr 09:00-18:00, Sa 10:00-15:00`. */
const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const days = /^(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:-(?:Mo|Tu|We|Th|Fr|Sa|Su))?$/;
const times = /^(?:[01]?\d|2[0-3]):[0-5]\d-(?:[01]?\d|2[0-3]):[0-5]\d$/;

/** Returns true if the text has the schema.org form of opening hours, from days to times. */
export function areOpeningHours(text: string): boolean {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return (
    parts.length > 1 &&
    days.test(parts[0] ?? '') &&
    times.test(parts.at(-1) ?? '') &&
    parts.every((part) => days.test(part) || times.test(part))
  );
}

/** Returns opening hours with translated day names. Text in any other form is returned unchanged. */
export function openingHours(hours: string, words: Pick<Words, 'days'>): string {
  if (!areOpeningHours(hours)) return hours;
  const named = hours.replace(/[MTWFS][a-z]/g, (name) => words.days[names.indexOf(name)] ?? name);
  return named === hours ? hours : named.replaceAll('-', '–');
}
