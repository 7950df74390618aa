// Treats the same letters as equal as the server does (src/base/fold-text.ts); a test compares the two.

const bases: Readonly<Record<string, string>> = {
  // Kazakh letters, beside the ones that a Russian keyboard has in their place.
  ...{ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', і: 'и', һ: 'х' },
  // Latin letters that Unicode does not decompose.
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' },
};

const special = new RegExp(`[${Object.keys(bases).join('')}]`, 'gu');

/**
 * Returns a text as people search it: without case and accents, and with the letters that replace Kazakh ones on a
 * Russian keyboard. `Әсел Қ.` -> `асел к.`
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // Most names need nothing more.
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  const bare = lower.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(special, (letter) => bases[letter] ?? letter);
}
