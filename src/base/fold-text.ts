/** Letters that are no base letter with a mark, by what they are searched as. */
const bases: Readonly<Record<string, string>> = {
  // Kazakh letters, beside the ones that a Russian keyboard has in their place.
  ...{ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', і: 'и', һ: 'х' },
  // Latin letters that Unicode does not take apart.
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' },
};

const special = new RegExp(`[${Object.keys(bases).join('')}]`, 'gu');

/**
 * A name, or a part of one, as people search it: without case and accents (`ё` is `е`), Kazakh letters as the
 * ones that stand for them on a Russian keyboard. `Әсел Қ.` -> `асел к.`
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // Most names need nothing more.
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  const bare = lower.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(special, (letter) => bases[letter] ?? letter);
}
