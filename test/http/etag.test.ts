import { describe, expect, test } from 'vitest';
import { assertMatch, etagIn, etagOf, matchesEtag } from '../../src/http/answer/representation.js';

const tag = etagOf('bread');

describe('If-Match', () => {
  test.each([
    ['nothing', ''],
    ['the tag', tag],
    ['the tag among others', `"other", ${tag} , "third"`],
    ['the tag of a compressed answer', etagIn('br', tag)],
    ['the other one', etagIn('gzip', tag)],
    ['whatever there is', '*'],
    ['any tag, with spaces', ' * '],
  ])('If-Match with %s allows a change', (_what, header) => {
    expect(() => assertMatch(header, tag)).not.toThrow();
  });

  test.each([
    ['another tag', '"other"'],
    ['several others', '"other", "third"'],
    ['a weak tag, which says too little', `W/${tag}`],
    ['a tag without quotes', tag.slice(1, -1)],
    ['a tag that goes on', tag.replace(/"$/, 'x"')],
    ['a coding that there is none of', tag.replace(/"$/, '-zip"')],
    ['something that is no tag', 'yesterday'],
    ['a comma', ','],
  ])('If-Match with %s refuses a change and returns the newest tag', (_what, header) => {
    expect(() => assertMatch(header, tag)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', status: 412, headers: { ETag: tag } }),
    );
  });
});

test.each([
  ['identity', '"abc"'],
  ['br', '"abc-br"'],
  ['gzip', '"abc-gzip"'],
] as const)('in %s a tag is %s, which If-Match accepts like the tag itself', (coding, sent) => {
  expect(etagIn(coding, '"abc"')).toBe(sent);
  expect(() => assertMatch(sent, '"abc"')).not.toThrow();
});

test('a tag of one coding does not match another coding', () => {
  expect(matchesEtag(etagIn('br', tag), etagIn('br', tag))).toBe(true);
  expect(matchesEtag(etagIn('br', tag), etagIn('gzip', tag))).toBe(false);
  expect(matchesEtag(etagIn('br', tag), tag)).toBe(false);
});
