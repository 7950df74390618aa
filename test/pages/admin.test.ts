import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/pages/admin/compare-versions.js';
import { parseHours, writeHours } from '../../src/pages/admin/hours.js';
import { planMove } from '../../src/pages/admin/order.js';
import { readListState, writeListState } from '../../src/pages/admin/product-list.js';
import { parseLeft } from '../../src/pages/admin/stock.js';

describe('moving a product', () => {
  const list = (...orders: readonly number[]) =>
    orders.map((order, index) => ({ id: index + 1, order }));

  it.each([
    { name: 'down by one', orders: [1, 2, 3], from: 0, to: 1, changes: [{ id: 1, order: 2.5 }] },
    { name: 'to the end', orders: [1, 2, 3], from: 0, to: 2, changes: [{ id: 1, order: 4 }] },
    { name: 'to the start', orders: [1, 2, 3], from: 2, to: 0, changes: [{ id: 3, order: 0 }] },
    { name: 'into a gap', orders: [1, 5, 9], from: 2, to: 1, changes: [{ id: 3, order: 2 }] },
    { name: 'to its own position in a list of one', orders: [1], from: 0, to: 0, changes: [] },
    {
      name: 'among equal values',
      orders: [1, 1, 1],
      from: 2,
      to: 1,
      changes: [
        { id: 3, order: 2 },
        { id: 2, order: 3 },
      ],
    },
    {
      name: 'between values that cannot be halved further',
      orders: [1, 1 + Number.EPSILON, 9],
      from: 2,
      to: 1,
      changes: [
        { id: 3, order: 2 },
        { id: 2, order: 3 },
      ],
    },
  ])('$name stores as few changes as possible', ({ orders, from, to, changes }) => {
    const plan = planMove(list(...orders), from, to);
    expect(plan.changes).toEqual(changes);
    const moved = plan.list.map(({ order }) => order);
    expect(moved).toEqual([...moved].sort((a, b) => a - b));
  });
});

describe('the URL of the product list', () => {
  it.each([
    ['', ''],
    [
      'q=tea&category=Hot&stock=few&sort=-price&page=3',
      'q=tea&category=Hot&stock=few&sort=-price&page=3',
    ],
    ['sort=colour&page=-1&stock=x', ''],
  ])('is read from “%s” and written without invalid filters as “%s”', (text, expected) => {
    expect(writeListState(readListState(text))).toBe(expected);
  });
});

describe('comparing two versions', () => {
  it('shows what each of two people has changed', () => {
    const fields = ['name', 'price', 'features', 'active'].map((name) => ({ name, label: name }));
    const versions = {
      base: { name: 'a', price: 1, features: [], active: true },
      mine: { name: 'b', price: 1 },
      theirs: { name: 'a', price: 2, features: ['x', 'y'], active: true },
    };
    expect(compareVersions(fields, versions, { yes: 'Yes', no: 'No' })).toEqual([
      { label: 'name', mine: 'b', theirs: 'a', by: 'you' },
      { label: 'price', mine: '1', theirs: '2', by: 'them' },
      { label: 'features', mine: '–', theirs: '• x\n• y', by: 'them' },
    ]);
  });
});

describe('a stock count', () => {
  it.each([
    ['', null],
    [' ', null],
    ['0', 0],
    ['12', 12],
    ['1 000 000', 1_000_000],
    ['1000001', Number.NaN],
    ['-1', Number.NaN],
    ['1.5', Number.NaN],
    ['ten', Number.NaN],
  ])('of “%s” is read as %s', (text, expected) => {
    expect(parseLeft(text)).toBe(expected);
  });
});

describe('opening hours', () => {
  it.each([
    'Mo-Fr 09:00-18:00, Sa 10:00-14:00',
    'Mo-Su 08:00-20:00',
    'Mo 09:00-13:00, We-Th 09:00-13:00',
    '',
  ])('such as %j are unchanged after they have been read and written', (text) => {
    expect(writeHours(parseHours(text) ?? [])).toBe(text);
  });

  it.each([
    ['Tu 9:30-18:00; Sa-Su 10:00-12:00', 'Tu 09:30-18:00, Sa-Su 10:00-12:00'],
    ['Mo 09:00-18:00, Tu 09:00-18:00', 'Mo-Tu 09:00-18:00'],
  ])('such as %j are written as %j', (text, written) => {
    expect(writeHours(parseHours(text) ?? [])).toBe(written);
  });

  it.each([
    'Дс-Жм 08:00-20:00',
    'every day',
    'Fr-Mo 09:00-18:00',
    'Mo 25:00-26:00',
    'Mo 09:00-13:00, Mo 14:00-18:00',
    'Mo-Fr',
  ])('are not read from the invalid text %j', (text) => {
    expect(parseHours(text)).toBeUndefined();
  });
});
