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
