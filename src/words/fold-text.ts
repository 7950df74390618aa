/** Replacements for letters that Unicode does not decompose into a base letter and a mark. */
const bases: Readonly<Record<string, string>> = {
  // Kazakh letters, as typed on a Russian keyboard.
  ...{ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', і: 'и', һ: 'х' },
  // Latin letters.
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' },
};

const special = new RegExp(`[${Object.keys(bases).join('')}]`, 'gu');

/**
 * Returns a name or a part of one in the form for searches: without case and accents (`ё` is `е`), and with the letters
 * of a Russian keyboard for Kazakh ones. `Әсел Қ.` -> `асел к.`
 */
export function foldText(text: string): string {
  const bare = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(special, (letter) => bases[letter] ?? letter);
}
