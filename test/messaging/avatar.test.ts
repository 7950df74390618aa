import { expect, it } from 'vitest';
import { avatarPath, drawAvatar, initialsOf, readInitials } from '../../src/messaging/avatar.js';

it.each([
  ['Aliya Nur', 'AN'],
  ['  алия  ', 'А'],
  ['Ay Bee Cee', 'AC'],
  ['<script>', 'S'],
  ['李小龙', '李'],
  ['straße ßa', 'SSS'],
  ['ﬃ', 'FFI'],
  ['🙂', '-'],
  ['', '-'],
])('the initials of "%s" are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it.each(['Aliya', 'ß ﬃ', '🙂', '', 'ï̈ é̂', '৳ 9'])(
  'the avatar path for "%s" contains its initials',
  (name) => {
    const file = decodeURIComponent(avatarPath('user', 1, name).split('/').at(-1) ?? '');
    expect(readInitials(file)).toBe(initialsOf(name));
  },
);

it('an avatar is the same every time and contains no active content', () => {
  const svg = drawAvatar('user', 7, 'A&<');
  expect(svg).toBe(drawAvatar('user', 7, 'A&<'));
  expect(svg).not.toBe(drawAvatar('user', 8, 'A&<'));
  expect(svg).toContain('A&amp;&lt;');
  expect(svg).not.toMatch(/<script|style=|\bon\w+=|href/);
});
