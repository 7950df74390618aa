/** Formats that are made once, with the first amount: the first of all takes longer to make than a command to start. */
let whole: Intl.NumberFormat | undefined;
let exact: Intl.NumberFormat | undefined;

function formatFor(amount: number): Intl.NumberFormat {
  if (Number.isInteger(amount)) {
    whole ??= new Intl.NumberFormat('ru-KZ', { maximumFractionDigits: 0 });
    return whole;
  }
  const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  exact ??= new Intl.NumberFormat('ru-KZ', twoDigits);
  return exact;
}

/**
 * An amount in tenge as a page shows it, in every language of Kazakhstan: `1 850 ₸`, `99,50 ₸`, with no-break
 * spaces. A terminal has plain ones (src/terminal/formats.ts).
 */
export function formatTenge(amount: number): string {
  return `${formatFor(amount).format(amount)}\u00a0₸`;
}
