import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

const script = new URL('../../scripts/lib/number-forms.mjs', import.meta.url);
const { addNumberKeywords, formsOf, withExactDigits } = await import(script.href);

const exact = { type: 'integer', minimum: 0, exactDigits: 3 };

describe('the keyword exactDigits', () => {
  const ajv = new Ajv2020({ strict: true });
  addNumberKeywords(ajv);
  const validate = ajv.compile(withExactDigits({ type: 'object', properties: { id: exact } }));

  it.each([0, 5, 999, 0n, 999n])('accepts %s', (id) => {
    expect(validate({ id })).toBe(true);
  });

  it.each([-1, 1.5, 1000, -1n, 1000n, '5', null, Number.NaN])('rejects %s', (id) => {
    expect(validate({ id })).toBe(false);
    expect(validate.errors).toMatchObject([
      {
        keyword: 'exactDigits',
        message: 'must be a non-negative whole number with at most 3 digits',
      },
    ]);
  });

  it('is allowed only for integers with a minimum of 0', () => {
    expect(() => withExactDigits({ items: [{ type: 'number', exactDigits: 3 }] })).toThrow();
    expect(() => withExactDigits({ type: 'integer', exactDigits: 3 })).toThrow(/minimum/);
  });
});

describe('the keyword lenient', () => {
  const properties = {
    a: { type: 'number', maximum: 5, lenient: true },
    b: { type: 'integer', maximum: 2 ** 53 - 1, lenient: true },
    c: { ...exact, lenient: true },
    d: { type: 'string', lenient: true },
    e: { type: 'string' },
  };

  it('defines the form of each property', () => {
    const forms = { a: 'number', b: 'integer', c: 'exact', d: 'text' };
    expect(formsOf({ properties }, 'A')).toEqual(forms);
  });

  it('defines no forms if no property is lenient', () => {
    expect(formsOf({ properties: { e: properties.e } }, 'A')).toBeUndefined();
    expect(formsOf({}, 'A')).toBeUndefined();
    expect(formsOf({ properties: { c: exact } }, 'A')).toEqual({});
  });

  it.each([
    [{ a: { type: 'number', lenient: true } }, 'A/a must have a maximum'],
    [{ a: { type: 'number', maximum: 2 ** 53, lenient: true } }, 'A/a must have a maximum'],
    [{ a: { type: 'boolean', lenient: true } }, 'A/a must be a number or a string'],
    [{ a: { type: 'object', properties: { b: properties.a } } }, 'only direct properties'],
  ])('is rejected for %j', (wrong, message) => {
    expect(() => formsOf({ properties: wrong }, 'A')).toThrow(message);
  });
});
