import { describe, expect, it, test } from 'vitest';
import { ApiError } from '../../src/pages/admin/api.js';
import { explain, faultText } from '../../src/pages/admin/errors.js';
import { loadWords, pickLanguage } from '../../src/pages/admin/language.js';
import type { Words } from '../../src/pages/admin/words/en.js';

const [en, ru, kk] = await Promise.all([loadWords('en'), loadWords('ru'), loadWords('kk')]);
const others = [
  ['ru', ru],
  ['kk', kk],
] as const;

/** Words that are the same in Russian and Kazakh, and names and symbols that are the same in every language. */
const shared = [
  '№',
  'WhatsApp',
  'Импорт',
  'Экспорт',
  'Телефон',
  'Каталог',
  '6,5',
  '{}',
  'Ср',
  'Сб',
];

/** Yields every text of a table with its path. For a function, yields its texts for several numbers. */
function* wordsOf(table: object, path = ''): Generator<[path: string, text: string]> {
  for (const [name, word] of Object.entries(table)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (name === 'language' || name === 'months') continue;
    if (typeof word === 'string') yield [here, word];
    else if (typeof word === 'object') yield* wordsOf(word, here);
    else for (const count of [1, 3, 5]) yield [`${here}(${count})`, String(word(count, 20, 5))];
  }
}

describe.each(others)('the texts of the admin page in %s', (_, table) => {
  const english = new Map(wordsOf(en));
  const words = [...wordsOf(table)];

  it('are complete, and contain no English', () => {
    expect(words.map(([path]) => path)).toEqual([...english.keys()]);
    const same = words.filter(([path, text]) => text.trim() === '' || text === english.get(path));
    expect(same.filter(([, text]) => !shared.includes(text))).toEqual([]);
  });

  it('are in Cyrillic, with the quotation marks of the language', () => {
    const known =
      /\b(MSGSITE_ADMIN_TOKEN|https?|wa|me|JPEG|PNG|WebP|CSV|products\.csv|id|WhatsApp|Google|Mo|Fr|Sa|Alt|Ctrl|Enter|C)\b/g;
    const faulty = words.filter(([, text]) => /[A-Za-z]|["“”'’]/.test(text.replace(known, '')));
    expect(faulty).toEqual([]);
  });
});

it('the Russian and Kazakh texts of the admin page differ', () => {
  const russian = new Map(wordsOf(ru));
  const same = [...wordsOf(kk)].filter(([path, text]) => text === russian.get(path));
  expect(same.filter(([, text]) => !shared.includes(text))).toEqual([]);
});

test.each([
  [1, 'Проверьте 1 поле.'],
  [3, 'Проверьте 3 поля.'],
  [11, 'Проверьте 11 полей.'],
  [21, 'Проверьте 21 поле.'],
])('the Russian texts of the admin page use the plural form for %d', (count, text) => {
  expect(ru.faults.count(count)).toBe(text);
});

test.each([
  [null, ['de-DE', 'ru-RU', 'en'], 'ru'],
  [null, ['kk-Cyrl-KZ'], 'kk'],
  [null, ['tr', 'constructor'], 'en'],
  ['kk', ['en'], 'kk'],
  ['xx', ['ru'], 'ru'],
])('with the choice %s and the browser languages %j, the admin page is in %s', (...given) => {
  const [chosen, wanted, language] = given;
  expect(pickLanguage(chosen, wanted)).toBe(language);
});

describe('errors', () => {
  const said = (facts: ConstructorParameters<typeof ApiError>[0], words: Words) =>
    explain(new ApiError({ message: 'The service said so.', ...facts }), words);

  it.each([
    ...['bad_request', 'invalid_json', 'validation_failed', 'unauthorized', 'forbidden'],
    ...['not_found', 'method_not_allowed', 'request_timeout', 'conflict', 'precondition_failed'],
    ...['too_large', 'unsupported_media_type', 'misdirected', 'internal_error', 'data_damaged'],
    ...['images_unavailable', 'offline', 'timeout', 'aborted'],
  ])('with the code %s have a text in every language', (code) => {
    const texts = [en, ru, kk].map((words) => said({ code }, words));
    expect(texts).not.toContain('The service said so.');
    expect(new Set(texts).size).toBe(3);
  });

  it('contain the waiting time, whether anything was changed, and unknown messages of the service', () => {
    expect(said({ code: 'rate_limited', status: 429, seconds: 3 }, ru)).toContain('3 секунды');
    const away = { code: 'storage_unavailable', status: 503 };
    expect(said({ ...away, method: 'PUT' }, kk)).toBe(kk.errors.cannotStore);
    expect(said({ ...away, method: 'GET' }, kk)).toBe(kk.errors.cannotRead);
    expect(said({ code: 'new_code', status: 418 }, kk)).toBe('The service said so.');
    expect(said({ code: 'http_502', status: 502, message: '' }, kk)).toContain('502');
  });

  it.each([
    ['is required', 'Это поле нужно заполнить.'],
    ['must not be empty or only white space', 'Это поле нужно заполнить.'],
    ['must have at most 200 characters', 'Можно не больше 200 знаков.'],
    ['must be 0 or more', 'Число должно быть не меньше 0.'],
    ['must be a number, or plain digits as text, such as "1500.50"', 'Введите число.'],
    ['must be an http or https address, or empty', ru.faults.web],
    ['is already on line 4', 'Этот номер уже есть в строке 4.'],
    ['must be a word that is allowed', 'must be a word that is allowed'],
  ])('about a field, such as “%s”, are translated: “%s”', (message, text) => {
    expect(faultText(message, ru)).toBe(text);
  });
});
