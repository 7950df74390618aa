import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { openForms } from '../../src/http/route/openapi-schemas.js';

const description = 'What it is.';

it.each([
  [
    'an amount',
    { type: 'number', maximum: 10 },
    [5, 0.01, '5', '5.00', '-5'],
    ['', 'x', '1e3', '05', '+5', ' 5', '5.', 11, null, true],
  ],
  ['a code', { type: 'integer', maximum: 10 }, [5, '5'], ['5.0', 'x', 11, 1.5, null]],
  [
    'an id',
    { type: 'integer', minimum: 0, exactDigits: 3 },
    [5, 999, '0', '999'],
    ['-5', -5, 1000, '1000', '05', '5.0', null],
  ],
  ['a phone', { type: 'string', maxLength: 3, pattern: '^7' }, ['7', 7, 999], ['8', -7, 1000, 7.5]],
])('the OpenAPI document describes both forms of %s', (_, own, accepted, rejected) => {
  const schema = openForms({ ...own, lenient: true, default: 7, description });
  expect(schema).toEqual({
    description,
    default: 7,
    oneOf: [expect.anything(), expect.anything()],
  });
  // In strict mode, custom keywords would be errors.
  const ajv = new Ajv2020({ strict: true });
  const validate = ajv.compile(schema);
  expect(accepted.filter((value) => !validate(value))).toEqual([]);
  expect(rejected.filter((value) => validate(value))).toEqual([]);
});

it('the OpenAPI document limits exact integers and does not change other schemas', () => {
  const exact = { type: 'integer', minimum: 0, exactDigits: 30 };
  const described = { type: 'integer', minimum: 0, exclusiveMaximum: 1e30 };
  expect(openForms(exact)).toEqual(described);
  const other = { type: 'string', maxLength: 5 };
  expect(openForms(other)).toBe(other);
});
