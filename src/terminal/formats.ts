/**
 * Formats an amount: `1500` as `1 500 ₸`, `1500.5` as `1 500,50 ₸`. Uses ordinary spaces, because some terminal fonts
 * lack narrow spaces, and because ordinary spaces are easier to search for.
 */
export function formatTenge(amount: number): string {
  return `${formatAmount(amount)} ₸`;
}

/** Formats an amount without the currency sign: `1 500`, or `1 500,50` if there are tiyns. */
export function formatAmount(amount: number): string {
  const [whole = '0', tiyns = '00'] = Math.abs(amount).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${grouped}${tiyns === '00' ? '' : `,${tiyns}`}`;
}

/** Formats `77011234567` as `+7 (701) 123-45-67`. Returns any other text unchanged. */
export function formatPhone(phone: string): string {
  const match = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(phone);
  if (!match) return phone;
  const [, code, first, second, third] = match;
  return `+7 (${code}) ${first}-${second}-${third}`;
}

/** Formats an instant as `2026-11-21 07:06:08` in an IANA time zone. The default is the machine's time zone. */
export function formatMoment(instant: number, zone?: string): string {
  // The Swedish locale uses the date format of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant);
}

/** Formats the time of an instant as `07:06:08`. */
export function formatTimeOfDay(instant: number, zone: string): string {
  return formatMoment(instant, zone).slice(11);
}
