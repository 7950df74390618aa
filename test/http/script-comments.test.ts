import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { withoutComments } from '../../src/http/answer/script-comments.js';

const lines = (...all: string[]) => all.join('\n');

describe('a comment on lines of its own is removed and keeps the line numbers', () => {
  test.each([
    ['a line', lines('// why', 'f();'), lines('', 'f();')],
    ['an indented line', lines('{', '  // why', '}'), lines('{', '', '}')],
    ['a block', lines('/**', ' * what', ' */', 'f();'), lines('', '', '', 'f();')],
    ['a block on one line', lines('/** @type {A} */', 'let a;'), lines('', 'let a;')],
    ['ticks and quotes in a comment', lines("// `it's", 'f();'), lines('', 'f();')],
    ['an end in the first line only', lines('/*/ still', '*/', 'f();'), lines('', '', 'f();')],
  ])('%s', (_, script, expected) => {
    expect(withoutComments(script)).toBe(expected);
  });
});

describe('text that may be more than a comment is kept', () => {
  test.each([
    ['a comment behind code', lines('f(); // why')],
    ['a comment in front of code', lines('/** @type {A} */ (b).c();')],
    ['a comment that ends in front of code', lines('/*', 'why */ f();')],
    ['a text that looks like one', lines("f('// no');", "g('/* no */');")],
    ['a template over several lines', lines('const a = `', '// text', '`;')],
    ['a text that continues', lines("const a = 'b\\", "// text';")],
    ['what is in a comment behind code', lines('f(); /* why', '/* more', '*/')],
    ['a comment that never ends', lines('f();', '/* why')],
    ['what tools read', lines('//# sourceMappingURL=a.map', '/*! licence */')],
  ])('%s', (_, script) => {
    expect(withoutComments(script)).toBe(script);
  });
});

const root = fileURLToPath(new URL('../../public', import.meta.url));
const scripts = globSync('**/*.js', { cwd: root });

test('the scripts of the pages are the same programs without their comments', () => {
  const program = (script: string) => transformSync(script, { minify: true }).code;
  let saved = 0;
  for (const name of scripts) {
    const script = readFileSync(`${root}/${name}`, 'utf8');
    const sent = withoutComments(script);
    expect(program(sent), name).toBe(program(script));
    expect(sent.split('\n').length, name).toBe(script.split('\n').length);
    saved += script.length - sent.length;
  }
  expect(scripts.length).toBeGreaterThan(30);
  expect(saved).toBeGreaterThan(20_000);
});
