import { describe, expect, it } from 'vitest';
import { explainForms, withOwnForms } from '../../src/http/request/number-forms.js';

describe('a lenient number', () => {
  it.each([
    ['500', 500],
    ['1500.50', 1500.5],
    ['0', 0],
    ['-76.889709', -76.889709],
    ['90000000000000.00', 90000000000000],
    ['0.1000000000000000000000000000000', 0.1],
    ['43.23894912345678', 43.23894912345678],
    [500, 500],
    [1e300, 1e300],
    // Too large for any field, which the schema rejects.
    [12345678901234567890n, Number(12345678901234567890n)],
  ])('reads %s as %d', (input, value) => {
    expect(withOwnForms({ a: input }, { a: 'number' })).toEqual({ a: value });
  });

  it.each([
    ...['abc', '', ' ', ' 5', '5 ', '+5', '1e3', '0x10', '0500', '00', '.5', '5.', '1,5', '1 500'],
    ...['Infinity', 'NaN', '--5', '-', '٥', '1_000', '5\n', '0.1000000000000000055511151231257827'],
    ...['1'.repeat(41), '43.23894912345678901'],
    ...[true, null, [], ['5'], {}],
  ])('does not change %j', (input) => {
    const body = { a: input };
    expect(withOwnForms(body, { a: 'number' })).toBe(body);
  });
});

describe('a lenient whole number', () => {
  it.each([
    ['5', 5, 5],
    ['-5', -5, -5],
    ['9007199254740993', 9007199254740992, 9007199254740993n],
    [9007199254740993n, 9007199254740992, 9007199254740993n],
  ])('reads %s as %s, or exactly as %s', (input, integer, exact) => {
    expect(withOwnForms({ a: input }, { a: 'integer' })).toEqual({ a: integer });
    expect(withOwnForms({ a: input }, { a: 'exact' })).toEqual({ a: exact });
  });

  it.each(['5.0', '1e3', '05', '', 'x', null, false])('does not change %j', (input) => {
    const body = { a: input };
    expect(withOwnForms(body, { a: 'integer' })).toBe(body);
    expect(withOwnForms(body, { a: 'exact' })).toBe(body);
  });
});

describe('lenient text', () => {
  it.each([
    [1001, '1001'],
    [0, '0'],
    [12345678901234567890n, '12345678901234567890'],
    ['1e3', '1e3'],
  ])('reads %s as %j', (input, text) => {
    expect(withOwnForms({ a: input }, { a: 'text' })).toEqual({ a: text });
  });

  it.each([-1, 1.5, 1e20, 2 ** 53, -5n, true, null, [5]])('does not change %s', (input) => {
    const body = { a: input };
    expect(withOwnForms(body, { a: 'text' })).toBe(body);
  });
});

it('absent fields, strict fields and non-objects are not changed by lenient forms', () => {
  const forms = { a: 'number', toString: 'text' } as const;
  for (const body of [{}, { b: '5' }, [{ a: '5' }], '5', 5, null, undefined]) {
    expect(withOwnForms(body, forms)).toBe(body);
  }
  const body = JSON.parse('{"__proto__":{"a":"6"},"b":"7","a":"5"}');
  const changed = withOwnForms(body, forms);
  expect(JSON.stringify(changed)).toBe('{"__proto__":{"a":"6"},"b":"7","a":5}');
  expect(body.a).toBe('5');
});

it('a violation of a lenient form names both forms, and other violations are unchanged', () => {
  const violation = (keyword: string, instancePath: string) => ({
    ...{ keyword, instancePath, params: {} },
    message: 'must be it',
  });
  const forms = { a: 'number', b: 'exact' } as const;
  const violations = [
    violation('type', '/a'),
    violation('exactDigits', '/b'),
    violation('type', '/c'),
  ];
  expect(explainForms([...violations, violation('maximum', '/a')], forms)).toMatchObject([
    { keyword: 'lenient', message: expect.stringContaining('plain digits as text') },
    { keyword: 'lenient', message: 'must be it, or digits as text' },
    { keyword: 'type' },
    { keyword: 'maximum' },
  ]);
});
