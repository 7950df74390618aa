// How values are shown. Prices are in tenge, written as they are in Kazakhstan: 1 850 ₸.

const whole = new Intl.NumberFormat('ru-KZ', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('ru-KZ', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/**
 * `1850` -> `1 850 ₸`, with no-break spaces.
 *
 * @param {number | string} price
 */
export function formatPrice(price) {
  const number = Number(price);
  if (!Number.isFinite(number)) return '';
  return `${(Number.isInteger(number) ? whole : exact).format(number)}\u00a0₸`;
}

/**
 * `2026-11-01` -> `1 November 2026`; text that is no date stays as it is.
 *
 * @param {string} text
 */
export function formatDate(text) {
  const date = parseDate(text);
  return date ? day.format(date) : text;
}

/**
 * `2026-11-22T16:40:00.000Z` -> `21:40` on the clock here.
 *
 * @param {string} moment
 */
export function formatTime(moment) {
  return time.format(new Date(moment));
}

/**
 * A date without a time is that day here, not midnight in Greenwich.
 *
 * @param {string} text
 */
function parseDate(text) {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const date = parts
    ? new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
    : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Reads a price as people type it: `1850`, `1 850,50`, `1,850`. Gives NaN for what is no number, so
 * that the reader is told instead of a wrong price being stored.
 *
 * @param {string} text
 */
export function parsePrice(text) {
  const bare = text.replace(/[\s₸]/g, '');
  // Commas in front of three digits each part thousands; a single one anywhere else is a decimal comma.
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare);
  const plain = isGrouped ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
}
