import { describe, expect, it } from 'vitest';
import { orderWords } from '../../../src/orders/pages/words/words.js';
import { wordsOf } from '../../../src/site/pages/words/words.js';

/** Returns every text of a table by its path; functions are called with the number 3 as each argument. */
function textsIn(part: unknown, path = ''): [path: string, text: string][] {
  if (typeof part === 'string') return [[path, part]];
  if (typeof part === 'function') return [[path, String(part(3, 3, 3))]];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, each]) => textsIn(each, `${path}/${name}`));
}

const textsOf = (language: 'en' | 'ru' | 'kk') => [
  ...textsIn(wordsOf(language), 'site'),
  ...textsIn(orderWords[language], 'order'),
];

/** Names, formats and placeholders that are the same in every language. */
const known = /WhatsApp|QR|\{\}|₸/g;
/** Texts that are not for people, or the same in every language. */
const isShared = (path: string) => /^site\/(?:locale|money|phone|whatsapp)$/.test(path);

describe.each(['ru', 'kk'] as const)('the texts of the public pages in %s', (language) => {
  const texts = textsOf(language).filter(([path]) => !isShared(path));

  it('exist for every English text', () => {
    expect(textsOf(language).map(([path]) => path)).toEqual(textsOf('en').map(([path]) => path));
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('contain no English, and use the quotation marks of the language', () => {
    const faulty = texts.filter(([, text]) => /[A-Za-z]|["“”]/.test(text.replace(known, '')));
    expect(faulty).toEqual([]);
  });
});

it('the Russian and Kazakh texts of the public pages differ', () => {
  const russian = new Map(textsOf('ru'));
  const same = textsOf('kk').filter(
    ([path, text]) => text === russian.get(path) && /\p{L}{4}/u.test(text) && !isShared(path),
  );
  expect(same.map(([, text]) => text)).toEqual(['Каталог']);
});
