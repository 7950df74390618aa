import { describe, expect, it } from 'vitest';
import { routeOf } from '../../commands/route.js';

const paths = new Set(['pay', 'pay qr', 'pay invoice', 'pay invoice show', 'serve', 'version']);
const route = (words: string) => routeOf(words === '' ? [] : words.split(' '), paths);

describe('route', () => {
  it.each([
    ['pay qr 1500', 'pay qr', '1500'],
    ['pay invoice show 7', 'pay invoice show', '7'],
    ['pay invoice --phone 8 show', 'pay invoice', '--phone 8 show'],
    ['--json pay --verbose qr 1500', 'pay qr', '--json --verbose 1500'],
    ['pay nope qr', 'pay', 'nope qr'],
    ['serve qr', 'serve', 'qr'],
    ['-- pay qr', '', '-- pay qr'],
    // Only the command can decide whether this is a file.
    ['pay qr help', 'pay qr', 'help'],
    ['pay qr --version', 'pay qr', '--version'],
  ])('leads from `%s` to the command "%s" and its arguments', (words, path, rest) => {
    expect(route(words)).toEqual({ path, rest: rest.split(' '), asks: undefined });
  });

  it.each([
    ['', ''],
    ['--json', '', '--json'],
    ['help', ''],
    ['help help', ''],
    ['--help pay qr', 'pay qr'],
    ['help pay qr', 'pay qr'],
    ['pay help qr', 'pay qr'],
    ['pay help', 'pay'],
    ['pay invoice help', 'pay invoice'],
    ['pay invoice help show', 'pay invoice show'],
    ['pay qr --help', 'pay qr'],
    ['help pay nope', 'pay', 'nope'],
    ['help --version', ''],
  ])('leads from `%s` to the help of "%s"', (words, path, rest = '') => {
    expect(route(words)).toEqual({ path, rest: rest === '' ? [] : [rest], asks: 'help' });
  });

  it.each([['--version'], ['-V --json'], ['--json --version'], ['--version pay']])(
    'leads from `%s` to the version',
    (words) => {
      expect(route(words).asks).toBe('version');
    },
  );
});
