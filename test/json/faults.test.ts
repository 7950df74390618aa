import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { findDuplicateKeys } from '../../src/json/strict-parse.js';
import { findSyntaxFault } from '../../src/json/syntax-fault.js';
import { describeViolations, type Violation } from '../../src/json/violations.js';
import { parseJsonText } from '../../src/storage/json/data-folder/data-folder.js';

describe('text that is not JSON', () => {
  it('is reported as damage with its line and column', () => {
    expect(() => parseJsonText('{"a": 1,\n "b" 2}', 'x.json')).toThrow(/line 2, column 6/);
  });

  it('is explained at the location of its first fault', () => {
    const text = '{"a": tru}';
    const fault = findSyntaxFault(text, 'Unexpected token');
    expect(text.slice(fault.offset, fault.offset + fault.length)).toBe('tru');
    expect(fault.message).toContain('"tru" is not a value');
  });

  it('is described even if it is nested too deeply to be parsed', () => {
    const { offset, message } = findSyntaxFault(
      '['.repeat(200_000),
      'Unexpected end of JSON input',
    );
    expect(offset).toBe(0);
    expect(message).toMatch(/^This is not JSON: /);
  });
});

it('every duplicate key is reported with its pointer and the location of its first occurrence', () => {
  const text = '{"a/b": {"c": 1, "c": 2}, "d": [{"e": 1}, {"e": 2, "e": 3}]}';
  const found: [path: string, name: string, first: number][] = [];
  findDuplicateKeys(text, ({ path, name, first }) => found.push([path(), name, first]));
  expect(found).toEqual([
    ['/a~1b/c', 'c', text.indexOf('"c"')],
    ['/d/1/e', 'e', text.lastIndexOf('{"e"') + 1],
  ]);
});

describe('a schema violation', () => {
  const broken = (keyword: string, params: object, instancePath = '/x'): Violation => ({
    instancePath,
    keyword,
    params: { ...params },
  });

  it.each([
    [broken('required', { missingProperty: 'a/b' }), '/x/a~1b', 'is required'],
    [
      broken('additionalProperties', { additionalProperty: 'y' }),
      '/x/y',
      'is not a known property',
    ],
    [broken('type', { type: ['string', 'null'] }), '/x', 'must be text or null'],
    [broken('minItems', { limit: 1 }), '/x', 'must not be empty'],
    [broken('minItems', { limit: 2 }), '/x', 'must have at least 2 entries'],
    [broken('enum', { allowedValues: ['a', 'b'] }), '/x', 'must be one of a, b'],
  ])('is described by a message: %j', (violation, path, message) => {
    expect(describeViolations([violation])).toEqual([{ path, message }]);
  });

  it('is described without regular expressions for all patterns in the schemas', async () => {
    const folder = new URL('../../schemas/', import.meta.url);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.schema.json'));
    // Screens have their own rules with their own messages.
    const files = names.filter((name) => name !== 'screen.schema.json');
    const patterns = new Set<string>();
    for (const name of files) {
      JSON.parse(await readFile(new URL(name, folder), 'utf8'), (key, value) => {
        if (key === 'pattern' && typeof value === 'string') patterns.add(value);
        return value;
      });
    }
    expect(patterns.size).toBeGreaterThan(10);
    for (const pattern of [...patterns, '^unknown[x]+$']) {
      const [{ message = '' } = {}] = describeViolations([broken('pattern', { pattern })]);
      expect(message).toMatch(
        pattern.startsWith('^unknown') ? /does not have the required format/ : /^must /,
      );
      expect(message).not.toContain(pattern);
    }
  });

  it('is reported once for several keywords with the same message, and not for combining keywords', () => {
    const type = broken('type', { type: 'string' });
    expect(describeViolations([type, type, broken('anyOf', {})])).toHaveLength(1);
  });

  it('is reported once for an empty text that must not be blank', () => {
    const empty = broken('minLength', { limit: 1 });
    const blank = broken('pattern', { pattern: '\\S' });
    expect(describeViolations([empty, blank])).toEqual([
      { path: '/x', message: 'must not be empty' },
    ]);
    expect(describeViolations([blank, broken('minLength', { limit: 1 }, '/y')])).toEqual([
      { path: '/x', message: 'must not be empty or only white space' },
      { path: '/y', message: 'must not be empty' },
    ]);
  });
});
