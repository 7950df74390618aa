/**
 * An amount as a cashier reads it: `1500` -> `1 500 ₸`, `1500.5` -> `1 500,50 ₸`. Plain spaces, as
 * some terminal fonts lack the narrow one, and what is shown can be typed or searched for as it is.
 */
export function formatTenge(amount: number): string {
  return `${formatAmount(amount)} ₸`;
}

/** The number of formatTenge without the sign. Tiyns are shown where there are any, always two. */
export function formatAmount(amount: number): string {
  const [whole = '0', tiyns = '00'] = Math.abs(amount).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${grouped}${tiyns === '00' ? '' : `,${tiyns}`}`;
}

/** `77011234567` -> `+7 (701) 123-45-67`; anything else as it is. */
export function formatPhone(phone: string): string {
  const match = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(phone);
  if (!match) return phone;
  const [, code, first, second, third] = match;
  return `+7 (${code}) ${first}-${second}-${third}`;
}

/** An instant as `2026-11-21 07:06:08` on the clocks of `zone` (IANA name), else on those of this machine. */
export function formatMoment(instant: number, zone?: string): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant);
}

/** `07:06:08` of formatMoment. */
export function formatTimeOfDay(instant: number, zone: string): string {
  return formatMoment(instant, zone).slice(11);
}
