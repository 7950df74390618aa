// Names are data from anybody: they may be long, empty to the eye, or turn the text around them.

/** What can be seen: a letter, a digit, a sign or a symbol. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The name without what surrounds it unseen, or '' where nothing of it can be seen.
 *
 * @param {string} name
 */
export function readableName(name) {
  return visible.test(name) ? name.trim() : '';
}

/**
 * One or two letters for a name, of its first and last word, as the server's drawn pictures have them.
 *
 * @param {string} name
 */
export function lettersOf(name) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const letters = picked.map((word) => [...(word ?? '')][0] ?? '').join('');
  return letters === '' ? '-' : letters.toUpperCase().normalize('NFC');
}

/**
 * The name as a search compares it: without case, accents and the letters that people type for others.
 *
 * @param {string} text
 */
export function fold(text) {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ёәғқңөұүіһ]/g, (letter) => plain[letter] ?? letter);
}

/** @type {Record<string, string>} */
const plain = { ё: 'е', ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', і: 'и', һ: 'х' };
