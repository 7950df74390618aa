// Names come from users. They may be long or invisible, or change the direction of the text around them.

/** A visible character: a letter, a digit, punctuation or a symbol. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Returns the trimmed name, or '' if it has no visible character.
 *
 * @param {string} name
 */
export function readableName(name) {
  return visible.test(name) ? name.trim() : '';
}

/**
 * Returns the first letters of a name's first and last words, as in the pictures that the server draws.
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
 * Returns a text in the form that is compared in searches: in lower case, without accents, and with Kazakh letters
 * replaced by the letters that people often type instead.
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
