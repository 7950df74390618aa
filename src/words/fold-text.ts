/** Replacements for letters that Unicode does not decompose into a base letter and a mark. */
const bases: Readonly<Record<string, string>> = {
  // Kazakh letters, as typed on a Russian keyboard.
  ...{ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', і: 'и', һ: 'х' },
  // Latin letters.
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' },
};

const special = new RegExp(`[${Object.keys(bases).join('')}]`, 'gu');

/**
 * Returns a name or part of a name in the form used for searches. Case and accents are removed (`ё` becomes `е`), and
 * Kazakh letters are replaced with letters of a Russian keyboard: `Әсел Қ.` becomes `асел к.`
 */
export function foldText(text: string): string {
  const bare = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return bare.replace(special, (letter) => bases[letter] ?? letter);
}
