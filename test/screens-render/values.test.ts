import { describe, expect, it } from 'vitest';
import { pointer } from '../../src/json/pointers.js';
import {
  cellOf,
  fromDay,
  plainText,
  toDay,
  toNumber,
} from '../../src/screens/definition/values.js';

describe('toNumber', () => {
  it.each([
    [12, 12],
    [0, 0],
    ['12', 12],
    ['12 %', 12],
    ['1 200', 1200],
    ['1\u00a0200,5', 1200.5],
    ['1\u202f234\u202f567', 1_234_567],
    ['1,200', 1200],
    ['1,200.50', 1200.5],
    ['1.200,50', 1200.5],
    ['1,200,300', 1_200_300],
    ['0,125', 0.125],
    ['12,5', 12.5],
    ['3.14', 3.14],
    ['$40', 40],
    ['−3', -3],
    ['-3.5 млн', -3.5],
    ['+7', 7],
    ['12.', 12],
    ['4 из 7', 4],
  ])('reads %j as %d', (value, expected) => {
    expect(toNumber(value)).toBe(expected);
  });

  it.each([['—'], [''], ['н/д'], [null], [undefined], [true], [{}], [Number.NaN], [Infinity]])(
    'finds no number in %j',
    (value) => {
      expect(toNumber(value)).toBeUndefined();
    },
  );
});

describe('toDay', () => {
  it.each([
    ['1970-01-01', 0],
    ['1970-01-02', 1],
    ['2024-02-29', 19_782],
    ['2024-02-29T12:00:00Z', 19_782],
    ['2024-02-29 12:00', 19_782],
  ])('reads the day of %s', (value, expected) => {
    expect(toDay(value)).toBe(expected);
    expect(fromDay(expected)).toBe(value.slice(0, 10));
  });

  it.each([
    ['2023-02-29'],
    ['2024-13-01'],
    ['2024-00-10'],
    ['0001-02-30'],
    ['2024-1-1'],
    ['x'],
    [7],
  ])('finds no date in %j', (value) => {
    expect(toDay(value)).toBeUndefined();
  });
});

it('cellOf ignores inherited properties', () => {
  const row = JSON.parse('{"a": 1, "__proto__": "own"}') as Record<string, unknown>;
  expect(cellOf(row, 'a')).toBe(1);
  expect(cellOf(row, '__proto__')).toBe('own');
  expect(cellOf(row, 'constructor')).toBeUndefined();
});

it('plainText converts cells to plain text', () => {
  expect([1, 'a', true, null, undefined, {}, ['x', 2, null]].map(plainText)).toEqual([
    '1',
    'a',
    'true',
    '',
    '',
    '',
    'x, 2',
  ]);
});

it('pointer escapes the steps of a JSON Pointer', () => {
  expect(pointer('table', 0, 'a/b~c')).toBe('/table/0/a~1b~0c');
});
