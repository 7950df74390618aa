// How values are shown. Prices are in tenge, written as they are in Kazakhstan: 1 850 ₸.

const whole = new Intl.NumberFormat('ru-KZ', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('ru-KZ', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** `1850` -> `1 850 ₸`, with no-break spaces. */
export function formatPrice(price: number | string): string {
  const number = Number(price);
  if (!Number.isFinite(number)) return '';
  return `${(Number.isInteger(number) ? whole : exact).format(number)}\u00a0₸`;
}

/** `2026-11-01` -> `1 November 2026`; text that is not a date stays as it is. */
export function formatDate(text: string): string {
  const date = parseDate(text);
  return date ? day.format(date) : text;
}

/** `2026-11-22T16:40:00.000Z` -> `21:40` in the browser's time zone. */
export function formatTime(moment: string): string {
  return time.format(new Date(moment));
}

/** A date without a time is that day in the browser's time zone, not midnight in Greenwich. */
function parseDate(text: string): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const date = parts
    ? new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
    : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Reads a price as people type it: `1850`, `1 850,50`, `1,850`. Returns NaN for anything else, so that the form
 * reports it instead of storing a wrong price.
 */
export function parsePrice(text: string): number {
  const bare = text.replace(/[\s₸]/g, '');
  // Commas that each precede three digits separate thousands; a single one anywhere else is a decimal comma.
  const isGrouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare);
  const plain = isGrouped ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
}
