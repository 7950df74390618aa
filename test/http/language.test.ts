import { expect, test } from 'vitest';
import { chooseLanguage, keepLanguage } from '../../src/http/request/negotiation.js';

const nothing = { query: undefined, cookie: '', accept: '' };

test.each([
  ['the language of the shop is the default', {}, 'en'],
  ['the query has the highest priority', { query: 'kk', cookie: 'lang=ru', accept: 'en' }, 'kk'],
  ['the cookie has priority over the browser', { cookie: 'lang=ru', accept: 'kk' }, 'ru'],
  ['the browser has priority over the shop', { accept: 'kk' }, 'kk'],
  ['an unsupported language in the query is ignored', { query: 'de', cookie: 'lang=ru' }, 'ru'],
  ['an empty query value is ignored', { query: '', accept: 'ru' }, 'ru'],
  ['a query value in capitals is ignored', { query: 'KK', accept: 'ru' }, 'ru'],
  ['an unsupported language in the cookie is ignored', { cookie: 'lang=xx', accept: 'kk' }, 'kk'],
  ['the cookie is found among other cookies', { cookie: 'a=1; lang=kk; b=2' }, 'kk'],
  ['a cookie with a longer name is ignored', { cookie: 'mylang=kk' }, 'en'],
  ['the value of another cookie is ignored', { cookie: 'a=lang=kk' }, 'en'],
] as const)('the language of a page is chosen by priority: %s', (_rule, wishes, language) => {
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
