/** The part of a whole: exact for drawing, and as a whole number of per cent to be read. */
export interface Share {
  /** Per cent, 0 to 100. */
  readonly exact: number;
  /** `63`, `<1`, `>99`. */
  readonly text: string;
}

/**
 * What each value is of all, in per cent that add up to 100: by the largest remainder. Parts below one say
 * so and are left out of the rounding, but for what they come to together. Nothing below zero is a part.
 */
export function sharesOf(values: readonly (number | undefined)[]): readonly (Share | undefined)[] {
  const highest = values.reduce((most: number, value = 0) => Math.max(most, value), 0);
  // Divided by the highest first: the sum of very large numbers is infinite.
  const parts = values.map((value = 0) => (value > 0 ? value / highest : 0));
  const sum = parts.reduce((all, part) => all + part, 0);
  const exact = parts.map((part) => (sum > 0 ? (part / sum) * 100 : 0));
  const rounded = roundToWhole(exact);
  return values.map((value, index) => {
    if (value === undefined || value < 0 || sum === 0) return undefined;
    const share = exact[index] ?? 0;
    return { exact: share, text: wordShare(share, rounded[index] ?? 0) };
  });
}

function wordShare(exact: number, rounded: number): string {
  if (exact > 0 && exact < 1) return '<1';
  return exact < 100 && rounded === 100 ? '>99' : String(rounded);
}

/** Whole numbers that come to 100 with the parts below one: who is cut most is rounded up first. */
function roundToWhole(exact: readonly number[]): readonly number[] {
  const tiny = exact.reduce((sum, share) => sum + (share < 1 ? share : 0), 0);
  const rounded = exact.map((share) => (share < 1 ? 0 : Math.floor(share)));
  const missing = 100 - Math.round(tiny) - rounded.reduce((sum, share) => sum + share, 0);
  const cut = exact
    .map((share, index) => ({ index, remainder: share % 1, isWhole: share >= 1 }))
    .filter(({ isWhole }) => isWhole)
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of cut.slice(0, Math.max(0, missing))) {
    rounded[index] = (rounded[index] ?? 0) + 1;
  }
  return rounded;
}
