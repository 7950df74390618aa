import { describe, expect, it } from 'vitest';
import { createBook, judge, pagesUntil } from './book.js';

const nothing = new Map<string, string>();
const found = (values: Record<string, string>, ids: Record<string, string> = {}) => ({
  values: new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
  ids: new Map(Object.entries(ids)),
});

/** Returns a book with two writes, which were requested at 1 and 5 and acknowledged at 2 and `second`. */
const book = (second: number | null) =>
  createBook({
    facts: [
      [
        'bread',
        [
          { value: '"old"', sent: 1, acknowledged: 2 },
          { value: '"new"', sent: 5, acknowledged: second },
        ],
      ],
    ],
    ids: [{ kind: 'product', id: '7', name: 'bread', at: 2 }],
  });

describe('a product found after a power cut', () => {
  it.each([
    ['before it was requested', 1, [{}], [{ bread: 'old' }]],
    ['before it was acknowledged', 1.5, [{}, { bread: 'old' }], [{ bread: 'new' }]],
    ['after it was acknowledged', 2, [{ bread: 'old' }], [{}, { bread: 'new' }]],
    ['while it is changed', 5.5, [{ bread: 'old' }, { bread: 'new' }], [{}, { bread: 'o' }]],
    ['after the change was acknowledged', 6, [{ bread: 'new' }], [{}, { bread: 'old' }]],
  ])('is compared with the expected values if the power is cut %s', (_, at, correct, wrong) => {
    for (const each of correct) expect(judge(book(6), at, found(each))).toEqual([]);
    for (const each of wrong) expect(judge(book(6), at, found(each))).toHaveLength(1);
  });

  it('can have either value if the change was never acknowledged', () => {
    for (const bread of ['old', 'new']) expect(judge(book(null), 9, found({ bread }))).toEqual([]);
  });

  it('must have the acknowledged ID', () => {
    const at = 2;
    expect(judge(book(6), at, found({ bread: 'old' }, { 'product bread': '7' }))).toEqual([]);
    const [fault] = judge(book(6), at, found({ bread: 'old' }, { 'product bread': '8' }));
    expect(fault).toContain('has the product ID 8 instead of the acknowledged 7');
  });
});

it('a book that is cut at a time contains no later entries', () => {
  const early = (at: number) => createBook(pagesUntil(book(6).pages, at));
  expect(early(1).names(9)).toEqual([]);
  expect(early(1.5).allowed('bread', 9)).toEqual([undefined, '"old"']);
  expect(early(1.5).given(9)).toEqual([]);
  expect(early(5.5).allowed('bread', 9)).toEqual(['"old"', '"new"']);
});

it('a book records the start and the acknowledgement of a write, and values that were shown', async () => {
  const empty = createBook();
  await empty.write('a', 1, async () => {});
  await empty.write('b', 2, () => Promise.reject(new Error('cut'))).catch(() => {});
  const at = Number.MAX_VALUE;
  expect(empty.allowed('a', at)).toEqual(['1']);
  expect(empty.allowed('b', at)).toEqual([undefined, '2']);
  empty.see('b');
  expect(empty.allowed('b', at)).toEqual(['2']);
  expect(judge(empty, at, { values: nothing, ids: nothing })).toHaveLength(2);
});
