const whole = new Intl.NumberFormat('ru-KZ', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('ru-KZ', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/**
 * An amount in tenge as a page shows it, in every language of Kazakhstan: `1 850 ₸`, `99,50 ₸`, with no-break
 * spaces. A terminal has plain ones (src/terminal/formats.ts).
 */
export function formatTenge(amount: number): string {
  return `${(Number.isInteger(amount) ? whole : exact).format(amount)}\u00a0₸`;
}
