import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKazakhPhone } from '../../src/base/phones.js';
import { isAmount } from '../../src/payments/amount.js';
import { maskPhone, normalisePhone } from '../../src/payments/phone.js';

describe('phone numbers', () => {
  it.each([
    ['77011234567', true],
    ['87011234567', false],
    ['+77011234567', false],
    ['7701123456', false],
    ['770112345678', false],
    ['77011234567\n', false],
    ['٧7011234567', false],
    ['', false],
  ])('are checked by isKazakhPhone: %j is valid: %s', (text, valid) => {
    expect(isKazakhPhone(text)).toBe(valid);
  });

  it.each([
    ['+7 (701) 123-45-67', '77011234567'],
    ['8701 123 45 67', '77011234567'],
    ['77011234567', '77011234567'],
    ['701-123-45-67', '77011234567'],
  ])('are normalised at the till: %s becomes %s', (text, phone) => {
    expect(normalisePhone(text)).toBe(phone);
  });

  it.each([['123'], ['+1 701 123 45 67'], ['7701123456x'], ['']])(
    'are rejected at the till if they are invalid: "%s"',
    (t) => {
      expect(() => normalisePhone(t)).toThrow('is not a valid phone number');
    },
  );

  it('are masked in the middle', () => {
    expect(maskPhone('77011234567')).toBe('+7 (701) ***-**-67');
    expect(maskPhone('secret')).toBe('***');
  });
});

describe('amounts', () => {
  it.each([
    [1500, true],
    [0.01, true],
    [1.1, true],
    [4.35, true],
    [1_000_000.99, true],
    [0, false],
    [-5, false],
    [0.001, false],
    [10.005, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [1e300, false],
  ])('are checked by isAmount: %d is valid: %s', (amount, valid) => {
    expect(isAmount(amount)).toBe(valid);
  });

  it('are valid for every whole number of tiyns', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e11 }), (tiyns) => isAmount(tiyns / 100)));
  });
});
