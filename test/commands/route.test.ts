import { describe, expect, it } from 'vitest';
import { routeOf } from '../../commands/route.js';

const paths = new Set(['pay', 'pay qr', 'pay invoice', 'pay invoice show', 'serve', 'version']);
const route = (words: string) => routeOf(words === '' ? [] : words.split(' '), paths);

describe('routeOf', () => {
  it.each([
    ['pay qr 1500', 'pay qr', '1500'],
    ['pay invoice show 7', 'pay invoice show', '7'],
    ['pay invoice --phone 8 show', 'pay invoice', '--phone 8 show'],
    ['--json pay --verbose qr 1500', 'pay qr', '--json --verbose 1500'],
    ['pay nope qr', 'pay', 'nope qr'],
    ['serve qr', 'serve', 'qr'],
    ['-- pay qr', '', '-- pay qr'],
    // Only the command can determine whether `help` is a file.
    ['pay qr help', 'pay qr', 'help'],
    ['pay qr --version', 'pay qr', '--version'],
  ])('resolves `%s` to the command "%s" and its arguments', (words, path, rest) => {
    expect(route(words)).toEqual({ path, rest: rest.split(' '), requested: undefined });
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
  ])('resolves `%s` to the help of "%s"', (words, path, rest = '') => {
    expect(route(words)).toEqual({ path, rest: rest === '' ? [] : [rest], requested: 'help' });
  });

  it.each([['--version'], ['-V --json'], ['--json --version'], ['--version pay']])(
    'resolves `%s` to the version',
    (words) => {
      expect(route(words).requested).toBe('version');
    },
  );
});
