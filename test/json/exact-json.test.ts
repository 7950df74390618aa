import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excessOf } from '../../src/json/bounds.js';
import {
  exactInteger,
  isTooLong,
  maxDigits,
  mayLoseDigits,
  parseExact,
  stringifyExact,
} from '../../src/json/exact-json.js';
import { longIntegers } from './long-integers.js';

describe('JSON with long integers', () => {
  it('is stringified to the same text after parsing', () => {
    fc.assert(
      fc.property(longIntegers, (text) => {
        expect(stringifyExact(parseExact(text))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is processed like other JSON if it contains no long integers', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (text, indent) => {
        const value: unknown = JSON.parse(text);
        const same = JSON.stringify(value, null, indent);
        expect(stringifyExact(parseExact(text), undefined, indent)).toBe(same);
        expect(stringifyExact(value, undefined, indent)).toBe(same);
      }),
    );
  });

  it('keeps its indentation and order', () => {
    const text = '{\n  "b": [\n    12345678901234567890\n  ],\n  "a": {}\n}';
    expect(stringifyExact(parseExact(text), undefined, 2)).toBe(text);
  });

  it('may contain any white space, escapes and names that JSON allows', () => {
    const text =
      ' {"a\\"12345678901234567890":\t[ 12345678901234567890 ,-12345678901234567890\n], "\\u0031":"\\\\"}';
    expect(parseExact(text)).toEqual({
      'a"12345678901234567890': [12345678901234567890n, -12345678901234567890n],
      1: '\\',
    });
  });

  it('keeps a property named __proto__ as an ordinary property', () => {
    const text = '{"__proto__":{"id":12345678901234567890},"b":1}';
    const value = parseExact(text);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'b']);
    expect(stringifyExact(value)).toBe(text);
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740991', -9007199254740991],
    ['-9007199254740993', -9007199254740993n],
    ['1234567890123456', 1234567890123456],
    ['12345678901234567.0', 12345678901234568],
    ['1.1234567890123456789', 1.1234567890123457],
    ['12345678901234567e2', 1234567890123456800],
    ['1e-0000000000000000001', 0.1],
    ['1.0', 1],
    ['1e3', 1000],
    ['"12345678901234567"', '12345678901234567'],
  ])('is parsed exactly: %s as %s', (text, value) => {
    expect(parseExact(text)).toBe(value);
  });

  it.each(['01234567890123456789', '{"a":12345678901234567890', '12345678901234567890n', ''])(
    'is rejected if it is invalid: %j',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('may contain integers of at most a thousand digits', () => {
    const digits = '9'.repeat(maxDigits);
    expect(stringifyExact(parseExact(`[${digits}]`))).toBe(`[${digits}]`);
    expect(stringifyExact(parseExact(`[-${digits}]`))).toBe(`[-${digits}]`);
    expect(() => parseExact(`[${digits}9]`)).toThrow(/more than 1000 digits/);
    expect(() => parseExact(`[-${digits}9]`)).toThrow(/more than 1000 digits/);
    expect(parseExact(`["${digits}9"]`)).toEqual([`${digits}9`]);
    expect([BigInt(digits), -BigInt(digits)].map(isTooLong)).toEqual([false, false]);
    expect([BigInt(digits) + 1n, -BigInt(digits) - 1n].map(isTooLong)).toEqual([true, true]);
  });

  it('cannot be created from a value that contains itself', () => {
    const value: { self?: unknown; id: bigint } = { id: 1n };
    value.self = value;
    expect(() => stringifyExact(value)).toThrow(TypeError);
  });

  it('is created with a replacer, which receives bigints and other values', () => {
    const doubled = (_: string, value: unknown) =>
      typeof value === 'bigint' ? value * 2n : typeof value === 'string' ? `${value}!` : value;
    expect(stringifyExact([1n, 'a'], doubled)).toBe('[2,"a!"]');
  });
});

it('mayLoseDigits returns true if and only if a text contains sixteen consecutive digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(?:[a-c]{0,3}\d{0,20}){0,6}$/), (text) => {
      expect(mayLoseDigits(text)).toBe(/\d{16}/.test(text));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['0', 0],
  ['-5', -5],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['000000000000000000012', 12],
])('exactInteger converts the digits %s to %s', (text, value) => {
  expect(exactInteger(text)).toBe(value);
});

it.each([
  ['digits', [12345678901234567890n], 21, undefined],
  ['more digits than allowed', [12345678901234567890n], 20, 'length'],
  ['more digits than can be parsed again', 10n ** 1_000n, Number.POSITIVE_INFINITY, 'length'],
])('the length limit applies to bigints: %s', (_, value, longest, excess) => {
  expect(excessOf(value, { longest })).toBe(excess);
});
