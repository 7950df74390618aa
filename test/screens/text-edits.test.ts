import { describe, expect, it } from 'vitest';
import { applyTextEdits, textEdits } from '../../src/screens/check/text-edits.js';
import type { Edit } from '../../src/screens/findings/finding.js';

const remove = (path: string): Edit => ({ kind: 'remove', path });
const rename = (path: string, to: string): Edit => ({ kind: 'rename', path, to });
const replace = (path: string, value: unknown): Edit => ({ kind: 'replace', path, value });

const edit = (text: string, ...edits: readonly Edit[]): string | undefined => {
  const found = textEdits(text, edits);
  return found && applyTextEdits(text, found);
};

describe('removing a value', () => {
  it.each([
    ['the first property', '{"a": 1, "b": 2, "c": 3}', ['/a'], '{"b": 2, "c": 3}'],
    ['a property in the middle', '{"a": 1, "b": 2, "c": 3}', ['/b'], '{"a": 1, "c": 3}'],
    ['the last property', '{"a": 1, "b": 2, "c": 3}', ['/c'], '{"a": 1, "b": 2}'],
    ['the only property', '{ "a": 1 }', ['/a'], '{}'],
    ['all items', '[1, 2,\n 3]', ['/0', '/1', '/2'], '[]'],
    ['the first two items', '[1, 2, 3]', ['/0', '/1'], '[3]'],
    ['the last two items', '[1, 2, 3]', ['/1', '/2'], '[1]'],
    ['every other item', '[1, 2, 3, 4, 5]', ['/0', '/2', '/4'], '[2, 4]'],
    ['all items except the first and the last', '[1, 2, 3, 4]', ['/1', '/2'], '[1, 4]'],
    ['an object in a list', '{"a": [{"b": 1}, {"c": [2]}]}', ['/a/0'], '{"a": [{"c": [2]}]}'],
    [
      'properties with a slash or a tilde in the name',
      '{"a/b": 1, "c~d": 2, "e": 3}',
      ['/a~1b', '/c~0d'],
      '{"e": 3}',
    ],
    ['a property with an escaped name', '{"\\u0061": 1, "b": 2}', ['/a'], '{"b": 2}'],
  ])('removes %s', (_title, text, paths, expected) => {
    expect(edit(text, ...paths.map(remove))).toBe(expected);
  });

  it('preserves the lines and the indentation of the rest', () => {
    const text = '{\n\t"a": 1,\n\t"b": {\n\t\t"c": [1,\n 2]\n\t},\n\n\t"d" : 1.0\n}\n';
    expect(edit(text, remove('/a'))).toBe(
      '{\n\t"b": {\n\t\t"c": [1,\n 2]\n\t},\n\n\t"d" : 1.0\n}\n',
    );
    expect(edit(text, remove('/b'))).toBe('{\n\t"a": 1,\n\n\t"d" : 1.0\n}\n');
    expect(edit(text, remove('/d'))).toBe('{\n\t"a": 1,\n\t"b": {\n\t\t"c": [1,\n 2]\n\t}\n}\n');
  });
});

describe('a renaming or a replacement', () => {
  it('preserves the notation of numbers, the order of properties, line ends and a byte order mark', () => {
    const text = '\ufeff{"z":1.0,\r\n "a" :1e3 ,"b":"\\u00e9"}\r\n';
    expect(edit(text, rename('/a', 'ä"'))).toBe(text.replace('"a"', '"ä\\""'));
    expect(edit(text, replace('/z', 'x'), rename('/z', 'y'))).toBe(
      text.replace('"z":1.0', '"y":"x"'),
    );
    expect(edit(text, replace('/b', { c: [1] }))).toBe(text.replace('"\\u00e9"', '{"c":[1]}'));
  });

  it('combines edits with adjacent removals', () => {
    const text = '{"a": 1, "b": {"c": 2, "d": 3}, "e": 4}';
    const edits = [
      remove('/a'),
      rename('/b', 'f'),
      remove('/b/c'),
      replace('/b/d', 5),
      remove('/e'),
    ];
    expect(edit(text, ...edits)).toBe('{"f": {"d": 5}}');
  });

  it('renames a property to a name that another edit frees', () => {
    expect(edit('{"a": 1, "b": 2}', remove('/a'), rename('/b', 'a'))).toBe('{"a": 2}');
    expect(edit('{"a": 1, "b": 2}', rename('/a', 'b'), rename('/b', 'a'))).toBe('{"b": 1, "a": 2}');
  });

  it('applies a repeated edit once', () => {
    expect(edit('{"a": 1, "b": 2}', rename('/a', 'c'), rename('/a', 'c'))).toBe('{"c": 1, "b": 2}');
    expect(edit('{"a": 1, "b": 2}', remove('/a'), remove('/a'))).toBe('{"b": 2}');
    expect(textEdits('[1]', [])).toEqual([]);
  });
});

describe('a set of edits is rejected', () => {
  it.each([
    ['an edit at a missing path', '{"a": 1}', [remove('/a'), remove('/b')]],
    ['an edit inside a string', '{"a": "b"}', [remove('/a/b')]],
    ['an edit at an index beyond the list', '[1]', [remove('/1')]],
    ['an edit of a duplicate property', '{"a": 1, "a": 2}', [remove('/a')]],
    ['an edit inside a duplicate property', '{"a": {"b": 1}, "a": 2}', [remove('/a/b')]],
    ['a new name that is taken', '{"a": 1, "b": 2}', [rename('/a', 'b')]],
    ['two equal new names', '{"a": 1, "b": 2}', [rename('/a', 'c'), rename('/b', 'c')]],
    ['a new name for a list item', '[1]', [rename('/0', 'a')]],
    ['two new names for a property', '{"a": 1}', [rename('/a', 'b'), rename('/a', 'c')]],
    ['two new values for a property', '{"a": 1}', [replace('/a', 2), replace('/a', 3)]],
    ['a change inside a removed property', '{"a": {"b": 1}}', [remove('/a'), remove('/a/b')]],
    ['the removal of a changed property', '{"a": {"b": 1}}', [remove('/a/b'), remove('/a')]],
    ['a new name for a removed property', '{"a": 1}', [remove('/a'), rename('/a', 'b')]],
    ['an edit of the whole document', '{"a": 1}', [remove('')]],
  ])('rejects edits that contain %s', (_title, text, edits) => {
    expect(textEdits(text, edits)).toBeUndefined();
  });
});

describe('an edit of any document', () => {
  const text = JSON.stringify(
    { a: [{ b: 1, c: [1, 2, 3] }, {}, [], 'x,]}"'], d: { e: null } },
    null,
    2,
  );
  const paths = [
    '/a',
    '/a/0',
    '/a/0/b',
    '/a/0/c',
    '/a/0/c/1',
    '/a/1',
    '/a/2',
    '/a/3',
    '/d',
    '/d/e',
  ];

  it.each(paths)('removes %s with the same result as in the parsed value', (path) => {
    const parsed = JSON.parse(text);
    const steps = path.slice(1).split('/');
    const parent = steps.slice(0, -1).reduce((value, step) => value[step], parsed);
    const last = steps.at(-1) ?? '';
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
    expect(JSON.parse(edit(text, remove(path)) ?? '')).toEqual(parsed);
  });
});
