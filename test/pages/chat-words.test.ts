import { describe, expect, it, test } from 'vitest';
import { avatarUrl } from '../../src/pages/chat/page/avatar.js';
import { table as en } from '../../src/pages/chat/page/lang/en.js';
import { dateNames, table as kk } from '../../src/pages/chat/page/lang/kk.js';
import { table as ru } from '../../src/pages/chat/page/lang/ru.js';
import {
  piecesOf,
  shownAs,
  stickers,
  typeOfText,
} from '../../src/pages/chat/page/message-kinds.js';
import { fold, lettersOf, readableName } from '../../src/pages/chat/page/names.js';
import { explain } from '../../src/pages/chat/page/problems.js';
import { boundaryOf, rowsOf } from '../../src/pages/chat/page/rows.js';
import { createWords, pickLanguage } from '../../src/pages/chat/page/words.js';

type Table = Readonly<Record<string, string | Readonly<Record<string, string>>>>;
const tables: Readonly<Record<string, Table>> = { en, ru, kk };
const now = new Date(2026, 10, 22, 15, 30);
const local = (...parts: [number, number, number, number?]) => new Date(...parts).toISOString();

describe.each(Object.keys(tables))('the translations in %s', (language) => {
  const table = tables[language] ?? {};

  it('have the same keys as English, and none is empty', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(table)) {
      for (const form of typeof text === 'string' ? [text] : Object.values(text)) {
        expect(form.trim(), key).not.toBe('');
      }
    }
  });

  it('use the same placeholders as English, and have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const valuesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const [key, english] of Object.entries<Table[string]>(en)) {
      const text = table[key] ?? '';
      expect(typeof text, key).toBe(typeof english);
      if (typeof text !== 'string') expect(Object.keys(text).sort(), key).toEqual(forms.toSorted());
      const wanted = valuesOf(typeof english === 'string' ? english : (english.other ?? ''));
      for (const form of typeof text === 'string' ? [text] : Object.values(text)) {
        expect(valuesOf(form), key).toEqual(wanted);
      }
    }
  });

  it('contain a name for every sticker', () => {
    for (const name of stickers) expect(table).toHaveProperty([`sticker_${name}`]);
  });
});

test.each([
  [null, ['de-DE', 'ru-RU', 'en'], 'ru'],
  [null, ['kk-Cyrl-KZ'], 'kk'],
  [null, ['tr', 'constructor'], 'en'],
  [null, [], 'en'],
  ['kk', ['en'], 'kk'],
  ['xx', ['ru'], 'ru'],
])(
  'with the choice %s and the browser languages %j, the chat is in %s',
  (chosen, wanted, language) => {
    expect(pickLanguage(chosen, wanted)).toBe(language);
  },
);

describe('translated words', () => {
  const [english, russian, kazakh] = [
    createWords('en', en),
    createWords('ru', ru),
    createWords('kk', kk),
  ];

  test.each([
    [1, '1 непрочитанное сообщение'],
    [3, '3 непрочитанных сообщения'],
    [11, '11 непрочитанных сообщений'],
    [1234, '1\u00a0234 непрочитанных сообщения'],
  ])('use the plural form for %d', (count, text) => {
    expect(russian.t('unread', { count })).toBe(text);
  });

  test('isolate names that change the text direction', () => {
    expect(english.t('youSaid', { text: 'a\u202eb\u2069c' })).toBe('You: abc');
    expect(english.t('youSaid', { text: 'مريم' })).toBe('You: \u2068مريم\u2069');
    expect(english.t('youSaid', { text: '{name} $& $1' })).toBe('You: {name} $& $1');
  });

  test.each([
    [local(2026, 10, 22, 0), 'Today'],
    [local(2026, 10, 21, 23), 'Yesterday'],
    [local(2026, 10, 23, 1), 'Monday 23 November'],
    [local(2026, 10, 20), 'Friday 20 November'],
    [local(2025, 10, 22), '22 November 2025'],
    ['no time', ''],
  ])('describe the day of %s as “%s”', (iso, day) => {
    expect(english.day(iso, now).replace(',', '')).toBe(day);
  });

  test('include Kazakh dates even if the browser does not support them', () => {
    const named = Intl.DateTimeFormat.supportedLocalesOf('kk-KZ').length > 0;
    expect(kazakh.day(local(2026, 10, 22), now)).toBe('Бүгін');
    expect(dateNames.months).toHaveLength(12);
    expect(dateNames.shortMonths).toHaveLength(12);
    expect(dateNames.weekdays).toHaveLength(7);
    expect(createWords('kk', kk, dateNames).listTime(local(2026, 2, 3), now)).toContain('3');
    expect(named || kazakh.day(local(2026, 10, 20), now) !== '').toBe(true);
  });

  test('explain unknown errors in general terms, and round up waiting times', () => {
    expect(explain({ code: 'new_code', status: 418, message: 'A teapot.' }, english)).toBe(
      'A teapot.',
    );
    expect(explain({ code: 'new_code', status: 418, message: 'A teapot.' }, russian)).toBe(
      'Что-то пошло не так. Попробуйте чуть позже.',
    );
    expect(explain({ code: 'rate_limited', retryAfter: 1200 }, english)).toContain('2 seconds');
    expect(explain({ code: 'rate_limited', retryAfter: 100_000 }, english)).toContain('2 minutes');
    expect(explain({ code: 'unauthorized' }, english, { unauthorized: 'wrongCode' })).toContain(
      'code',
    );
  });
});

describe('names in the chat', () => {
  test.each([
    ['\u200b\u2060\ufeff', ''],
    ['\u0301\u0302', ''],
    ['  Dana ', 'Dana'],
    ['👍', '👍'],
  ])('are shown without invisible characters: %j as %j', (name, shown) => {
    expect(readableName(name)).toBe(shown);
  });

  test.each([
    ['Алия Нур', 'АН'],
    ['bread & co', 'BC'],
    ['👩‍👩‍👧‍👦', '-'],
    ['𐐨𐐩', '𐐀'],
  ])('such as %s have the initials %s', (name, letters) => {
    expect(lettersOf(name)).toBe(letters);
  });

  test('are compared without regard to case, accents and similar letters', () => {
    expect(fold('Әсел Ёлкина Ötzi')).toBe('асел елкина otzi');
  });

  test.each([
    ['https://shop.example/avatars/user/2/A.svg', 'https://shop.example/avatars/user/2/A.svg'],
    ['/me.png', 'https://shop.example/me.png'],
    ['https://tracker.example/pixel.png', '/avatars/user/2/A.svg'],
    ['//tracker.example/pixel.png', '/avatars/user/2/A.svg'],
    ['data:image/png;base64,AAAA', '/avatars/user/2/A.svg'],
    ['javascript:alert(1)', '/avatars/user/2/A.svg'],
    ['http://[', '/avatars/user/2/A.svg'],
    ['', '/avatars/user/2/A.svg'],
  ])('with the picture %j have the picture URL %s', (avatar, url) => {
    const who = { kind: 'user', id: 2, name: 'Aliya', avatar } as const;
    expect(avatarUrl(who, 'https://shop.example')).toBe(url);
  });
});

describe('texts in the chat', () => {
  test.each([
    ['❤️', 'emoji'],
    ['👍🏽 🎉\n👩‍👩‍👧‍👦', 'emoji'],
    ['👍'.repeat(9), 'text'],
    ['5', 'text'],
    ['#', 'text'],
    ['ok 👍', 'text'],
  ])('such as %j are sent as %s', (text, type) => {
    expect(typeOfText(text)).toBe(type);
  });

  test.each([
    ['sticker', 'tea', 'sticker'],
    ['sticker', '../tea', 'text'],
    ['sticker', 'constructor', 'text'],
    ['emoji', 'not one', 'text'],
    ['text', 'tea', 'text'],
  ])('of the type %s with the content %s are shown as %s', (type, text, shown) => {
    expect(shownAs({ type, text })).toBe(shown);
  });

  test.each([
    ['see https://a.example/b?c=d#e.', ['https://a.example/b?c=d#e']],
    ['(http://a.example), https://b.example!', ['http://a.example/', 'https://b.example/']],
    ['javascript:alert(1) ftp://a.example', []],
    ['https://', []],
    ['https://a.example/\u202egpj.exe', ['https://a.example/']],
    ['HTTPS://Ä.example', ['https://xn--4ca.example/']],
  ])('such as %j contain the links %j', (text, links) => {
    const pieces = piecesOf(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.flatMap(({ href }) => href ?? [])).toEqual(links);
  });
});

describe('the rows of a room', () => {
  const message = (id: number, senderId: number, createdAt = local(2026, 10, 22, 12)) =>
    ({
      id,
      chatId: 1,
      senderId,
      senderName: '',
      senderAvatar: '',
      text: `${id}`,
      type: 'text',
      createdAt,
    }) as const;
  const none = { outgoing: [], userId: 1, boundary: null, peerReadId: undefined };
  const shape = (room: Partial<Parameters<typeof rowsOf>[0]>) =>
    rowsOf({ messages: [], ...none, ...room }).map((row) => {
      if (row.kind === 'message')
        return `${row.message.id}${row.starts ? '<' : ''}${row.ends ? '>' : ''}`;
      return row.kind === 'outgoing'
        ? `out${row.starts ? '<' : ''}${row.ends ? '>' : ''}`
        : row.kind;
    });

  test('group messages that one person sends within minutes on the same day', () => {
    const messages = [
      message(1, 2, local(2026, 10, 21, 12)),
      message(2, 2),
      message(3, 2),
      message(4, 3),
      message(5, 3, local(2026, 10, 22, 14)),
    ];
    expect(shape({ messages })).toEqual(['day', '1<>', 'day', '2<', '3>', '4<>', '5<>']);
  });

  test('have a line above the first new message of others, and unsent messages at the end', () => {
    const messages = [message(1, 2), message(2, 1), message(3, 2), message(4, 1)];
    const post = {
      key: 'k',
      chatId: 1,
      text: '',
      type: 'text',
      state: 'sending',
      error: null,
    } as const;
    expect(shape({ messages, boundary: 1, outgoing: [post] })).toEqual([
      ...['day', '1<>', '2<>', 'new', '3<>', '4<', 'out>'],
    ]);
  });

  test('show whether the user’s messages in a private chat have been read', () => {
    const rows = rowsOf({
      ...none,
      messages: [message(1, 1), message(2, 1), message(3, 2)],
      peerReadId: 1,
    });
    expect(rows.flatMap((row) => (row.kind === 'message' ? [row.isRead] : []))).toEqual([
      true,
      false,
      null,
    ]);
  });

  test.each([
    [{ unread: 0, lastReadId: 3 }, null],
    [{ unread: 1, lastReadId: 3 }, 3],
    [{ unread: 2, lastReadId: null }, 2],
    [{ unread: 9, lastReadId: null }, 0],
  ])('of the chat %j have the line for new messages below message %s', (chat, boundary) => {
    const messages = [message(1, 2), message(2, 1), message(3, 2), message(4, 1), message(5, 2)];
    expect(boundaryOf(chat, messages, 1)).toBe(boundary);
  });
});
