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

  it('gives the same as JSON for values without long integers', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (text, indent) => {
        const value: unknown = JSON.parse(text);
        const same = JSON.stringify(value, null, indent);
        expect(stringifyExact(parseExact(text), undefined, indent)).toBe(same);
        expect(stringifyExact(value, undefined, indent)).toBe(same);
      }),
    );
  });

  it('keeps the usual spaces and order', () => {
    const text = '{\n  "b": [\n    12345678901234567890\n  ],\n  "a": {}\n}';
    expect(stringifyExact(parseExact(text), undefined, 2)).toBe(text);
  });

  it('accepts whitespace, escapes and names in any form of JSON', () => {
    const text =
      ' {"a\\"12345678901234567890":\t[ 12345678901234567890 ,-12345678901234567890\n], "\\u0031":"\\\\"}';
    expect(parseExact(text)).toEqual({
      'a"12345678901234567890': [12345678901234567890n, -12345678901234567890n],
      1: '\\',
    });
  });

  it('keeps a property named __proto__ as an ordinary one', () => {
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
  ])('parses %s as %s', (text, value) => {
    expect(parseExact(text)).toBe(value);
  });

  it.each(['01234567890123456789', '{"a":12345678901234567890', '12345678901234567890n', ''])(
    'refuses %j',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('allows integers of at most a thousand digits', () => {
    const longest = '9'.repeat(maxDigits);
    expect(stringifyExact(parseExact(`[${longest}]`))).toBe(`[${longest}]`);
    expect(stringifyExact(parseExact(`[-${longest}]`))).toBe(`[-${longest}]`);
    expect(() => parseExact(`[${longest}9]`)).toThrow(/more than 1000 digits/);
    expect(() => parseExact(`[-${longest}9]`)).toThrow(/more than 1000 digits/);
    expect(parseExact(`["${longest}9"]`)).toEqual([`${longest}9`]);
    expect([BigInt(longest), -BigInt(longest)].map(isTooLong)).toEqual([false, false]);
    expect([BigInt(longest) + 1n, -BigInt(longest) - 1n].map(isTooLong)).toEqual([true, true]);
  });

  it('refuses a value that contains itself, like JSON.stringify', () => {
    const value: { self?: unknown; id: bigint } = { id: 1n };
    value.self = value;
    expect(() => stringifyExact(value)).toThrow(TypeError);
  });

  it('calls a replacer before and after the conversion', () => {
    const doubled = (_: string, value: unknown) =>
      typeof value === 'bigint' ? value * 2n : typeof value === 'string' ? `${value}!` : value;
    expect(stringifyExact([1n, 'a'], doubled)).toBe('[2,"a!"]');
  });
});

it('a text may lose digits exactly when it has sixteen consecutive digits', () => {
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
])('the integer of the digits %s is %s', (text, value) => {
  expect(exactInteger(text)).toBe(value);
});

it.each([
  ['digits', [12345678901234567890n], 21, undefined],
  ['more digits than allowed', [12345678901234567890n], 20, 'length'],
  ['more digits than can be parsed again', 10n ** 1_000n, Number.POSITIVE_INFINITY, 'length'],
])('a value with a bigint is bounded: %s', (_, value, longest, excess) => {
  expect(excessOf(value, { longest })).toBe(excess);
});
