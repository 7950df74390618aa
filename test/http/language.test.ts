import { expect, test } from 'vitest';
import { chooseLanguage, keepLanguage } from '../../src/http/request/negotiation.js';

const nothing = { query: undefined, cookie: '', accept: '' };

test.each([
  ['the shop decides where nobody says anything', {}, 'en'],
  ['the address comes first', { query: 'kk', cookie: 'lang=ru', accept: 'en' }, 'kk'],
  ['then the cookie', { cookie: 'lang=ru', accept: 'kk' }, 'ru'],
  ['then the browser', { accept: 'kk' }, 'kk'],
  ['an address that names none of ours is passed over', { query: 'de', cookie: 'lang=ru' }, 'ru'],
  ['as is an empty one', { query: '', accept: 'ru' }, 'ru'],
  ['and one in capitals', { query: 'KK', accept: 'ru' }, 'ru'],
  ['a cookie that names none of ours is passed over', { cookie: 'lang=xx', accept: 'kk' }, 'kk'],
  ['the cookie is found among others', { cookie: 'a=1; lang=kk; b=2' }, 'kk'],
  ['but not within the name of another', { cookie: 'mylang=kk' }, 'en'],
  ['nor within its value', { cookie: 'a=lang=kk' }, 'en'],
] as const)('the language choice: %s', (_rule, wishes, language) => {
  expect(chooseLanguage({ ...nothing, ...wishes }, 'en')).toBe(language);
});

test.each([
  ['ru', 'ru'],
  ['ru-RU', 'ru'],
  ['RU-ru', 'ru'],
  ['kk-Cyrl-KZ', 'kk'],
  ['de, fr;q=0.9, kk;q=0.1', 'kk'],
  ['en;q=0.5, ru;q=0.8', 'ru'],
  ['ru;q=0.8, en;q=0.8', 'ru'],
  ['kk, ru;q=0.9, en;q=0.8', 'kk'],
  ['ru;q=0, en;q=0.1', 'en'],
  ['ru ; q=1.000 , kk;q=0.999', 'ru'],
  ['ru;q=2, kk;q=0.3', 'kk'],
  ['ru;q=much, kk;q=0.3', 'kk'],
  ['*', 'en'],
  ['de', 'en'],
  ['rus', 'en'],
  [',,;q=1', 'en'],
] as const)('Accept-Language %j selects %s', (accept, language) => {
  expect(chooseLanguage({ ...nothing, accept }, 'en')).toBe(language);
});

test('the language cookie lasts for a year, covers every page and is SameSite', () => {
  expect(keepLanguage('kk')).toBe('lang=kk; Max-Age=31536000; Path=/; SameSite=Lax');
});
