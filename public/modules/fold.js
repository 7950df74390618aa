// The same letters count as one as on the server (src/base/fold-text.ts); a test holds the two together.

/** @type {Readonly<Record<string, string>>} */
const bases = {
  // Kazakh letters, beside the ones that a Russian keyboard has in their place.
  ...{ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', і: 'и', һ: 'х' },
  // Latin letters that Unicode does not take apart.
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' },
};

const special = new RegExp(`[${Object.keys(bases).join('')}]`, 'gu');

/**
 * A text as people search it: without case and accents, Kazakh letters as the ones that stand for them on a Russian
 * keyboard. `Әсел Қ.` -> `асел к.`
 *
 * @param {string} text
 */
export function foldText(text) {
  const lower = text.toLowerCase();
  // Most names need nothing more.
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  const bare = lower.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(special, (letter) => bases[letter] ?? letter);
}
