import { describe, expect, test } from 'vitest';
import { assertMatch, etagIn, etagOf, matchesEtag } from '../../src/http/answer/representation.js';

const tag = etagOf('bread');

describe('If-Match', () => {
  test.each([
    ['no value', ''],
    ['the tag', tag],
    ['the tag among others', `"other", ${tag} , "third"`],
    ['the tag of a br response', etagIn('br', tag)],
    ['the tag of a gzip response', etagIn('gzip', tag)],
    ['an asterisk', '*'],
    ['an asterisk and spaces', ' * '],
  ])('If-Match with %s allows a change', (_value, header) => {
    expect(() => assertMatch(header, tag)).not.toThrow();
  });

  test.each([
    ['a different tag', '"other"'],
    ['several different tags', '"other", "third"'],
    ['a weak tag', `W/${tag}`],
    ['a tag without quotes', tag.slice(1, -1)],
    ['a longer tag', tag.replace(/"$/, 'x"')],
    ['the tag of an unknown coding', tag.replace(/"$/, '-zip"')],
    ['text that is not a tag', 'yesterday'],
    ['a comma', ','],
  ])('If-Match with %s rejects a change and returns the current tag', (_value, header) => {
    expect(() => assertMatch(header, tag)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', status: 412, headers: { ETag: tag } }),
    );
  });
});

test.each([
  ['identity', '"abc"'],
  ['br', '"abc-br"'],
  ['gzip', '"abc-gzip"'],
] as const)('If-Match accepts the tag of the coding %s, which is %s', (coding, sent) => {
  expect(etagIn(coding, '"abc"')).toBe(sent);
  expect(() => assertMatch(sent, '"abc"')).not.toThrow();
});

test('the tag of one coding does not match a different coding', () => {
  expect(matchesEtag(etagIn('br', tag), etagIn('br', tag))).toBe(true);
  expect(matchesEtag(etagIn('br', tag), etagIn('gzip', tag))).toBe(false);
  expect(matchesEtag(etagIn('br', tag), tag)).toBe(false);
});
