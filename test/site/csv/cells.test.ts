import { describe, expect, it } from 'vitest';
import { readFeatures, readPrice, writeFeatures } from '../../../src/site/csv/cells.js';

describe('the price cell', () => {
  it.each([
    ['0', 0],
    ['1850', 1850],
    ['1850.50', 1850.5],
    ['1850,50', 1850.5],
    ['1 850,50', 1850.5],
    ['1\u00a0850', 1850],
    ['12\u202f345\u202f678,9', 12345678.9],
    ['1,850.50', 1850.5],
    ['1.850,50', 1850.5],
    ['1 850,50 ₸', 1850.5],
    ['1850 тг.', 1850],
    ['1850KZT', 1850],
    [' 5 ', 5],
    ['0,125', 0.125],
    ['1.125', 1.125],
    ['90000000000000', 90000000000000],
    ['1e-7', 1e-7],
  ])('reads "%s" as %d', (text, price) => {
    expect(readPrice(text)).toBe(price);
  });

  it.each([
    '-5',
    '+5',
    'free',
    '1 85',
    '1,2,3',
    '18 500,5,5',
    '1.850.000',
    '0x10',
    '',
    '5%',
    'NaN',
  ])('rejects "%s"', (text) => {
    expect(readPrice(text)).toMatch(/^must be a number such as/);
  });

  it.each(['1,850', '12,345', '999,000'])('rejects "%s" as ambiguous', (text) => {
    expect(readPrice(text)).toMatch(/is ambiguous/);
  });
});

describe('the features cell', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a|b c|d', ['a', 'b c', 'd']],
    ['a||', ['a', '', '']],
    ['a\\|b|c', ['a|b', 'c']],
    ['C:\\new', ['C:\\new']],
    ['\\\\', ['\\']],
    ['\\', ['']],
  ])('reads "%s" as %j', (cell, features) => {
    expect(readFeatures(cell)).toEqual(features);
  });

  it.each([[[]], [['']], [['', '']], [['a|', '\\', '\\|', '|']], [['a', 'b\\']]])(
    'reads %j back after writing',
    (features) => {
      expect(readFeatures(writeFeatures(features))).toEqual(features);
    },
  );
});
