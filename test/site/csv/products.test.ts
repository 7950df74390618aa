import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Product } from '#validators/site';
import { completeProduct } from '../../../src/site/content.js';
import { writeProducts } from '../../../src/site/csv/cells.js';
import { planImport, readProducts } from '../../../src/site/csv/import-products.js';
import { maxRows } from '../../../src/site/csv/read-table.js';

const read = (text: string) => readProducts(Buffer.from(text));
const faultsOf = (content: string | Buffer) =>
  readProducts(Buffer.from(content)).faults.map(({ line, column, message }) =>
    [line, column ?? '', message].join(' '),
  );

describe('reading products from CSV', () => {
  it('accepts columns in any order and case, commas or semicolons, a byte order mark and any line endings', () => {
    for (const text of [
      'id,name,price\n3,Bread,"1 850,50"\n,Tea,5\n',
      '\ufeffid;name;price\r\n3;Bread;1 850,50\r\n;Tea;5\r\n',
      ' Price ,NAME,id\r1850.5,"Bread",3\r5,Tea,',
      '"name";"id";"price"\n\nBread;3;1850,5\n;;\n"Tea";"";"5"',
    ]) {
      const { rows, faults } = read(text);
      expect(faults, text).toEqual([]);
      expect(rows).toMatchObject([
        { id: 3, fields: { name: 'Bread', price: 1850.5 } },
        { fields: { name: 'Tea', price: 5 } },
      ]);
    }
  });

  it('records the first line of each row, even with line breaks in cells', () => {
    const { rows } = read('name,description\n"a","one\ntwo\r\nthree"\n\nb,""\n');
    expect(rows.map(({ line, fields }) => [line, fields])).toEqual([
      [2, { name: 'a', description: 'one\ntwo\r\nthree' }],
      [6, { name: 'b', description: '' }],
    ]);
  });

  it('omits fields that have no column, and prices whose cell is empty', () => {
    expect(read('id,tagline,price\n1,x,\n').rows).toEqual([
      { line: 2, id: 1, fields: { tagline: 'x' } },
    ]);
    expect(read('id\n1\n').rows).toEqual([{ line: 2, id: 1, fields: {} }]);
  });

  it('removes an apostrophe only if it protects against a spreadsheet formula', () => {
    const { rows } = read("name,tagline\n'=1+1,'s Gravenhage\n'+7,''=x\n");
    expect(rows.map(({ fields }) => fields)).toEqual([
      { name: '=1+1', tagline: "'s Gravenhage" },
      { name: '+7', tagline: "'=x" },
    ]);
  });
});

describe('errors in a CSV file', () => {
  it.each<[string, string | Buffer, string[]]>([
    ['an empty file', '', ['1  has no header']],
    ['a missing header', '\n\n', ['1  has no header']],
    ['an unknown column', 'name,prise\na,5\n', [expect.stringMatching(/^1 prise .*mean price/)]],
    ['a repeated column', 'name,price,Name\na,5,b\n', ['1 Name appears twice']],
    ['UTF-16', Buffer.from('\ufeffname\na\n', 'utf16le'), [expect.stringContaining('UTF-16')]],
    [
      'UTF-16 without a byte order mark',
      Buffer.from('name\na\n', 'utf16le'),
      [expect.stringContaining('UTF-16')],
    ],
    ['Latin letters', Buffer.from('name\na\né\n', 'latin1'), [expect.stringMatching(/^3 .*UTF-8/)]],
    ['an unclosed quotation mark', 'name\n"a\nb', [expect.stringMatching(/^2 .*never closed/)]],
    [
      'text after a closing quotation mark',
      'name\r\n"a\r\n"\r\n"a"b\n',
      [expect.stringMatching(/^4 .*after/)],
    ],
    ['an extra cell', 'id,name\n1,a,b\n', ['2  has 3 cells, but the header has 2']],
    ['a repeated ID', 'id,name\n1,a\n1,b\n', ['3 id is already on line 2']],
    ['no id', 'id,name\nx,a\n', [expect.stringMatching(/^2 id must be the ID/)]],
    ['a new product without a name', 'tagline\na\n', ['2 name is required']],
    [
      'an ambiguous price',
      'name,price\na,"1,850"\n',
      [expect.stringMatching(/^2 price is ambiguous/)],
    ],
  ])('are reported for %s', (_, content, expected) => {
    expect(faultsOf(content)).toEqual(expected);
  });

  it('are all reported with line and column', () => {
    const text = [
      'id,name,price,image,features',
      ',a,free,nowhere,x',
      `7,,-1,,${'y'.repeat(501)}|z`,
      ',ok,1,/a.png,',
      '7,b,1,,',
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^2 price must be a number/),
      '2 image must be an http or https address, or a path on this site that begins with /',
      expect.stringMatching(/^3 price must be a number/),
      '3 name must not be empty',
      '3 features entry 1 must have at most 500 characters',
      '5 id is already on line 3',
    ]);
  });

  it('include more than 20,000 rows', () => {
    const rows = (count: number) => `name\n${'a\n'.repeat(count)}`;
    expect(faultsOf(rows(maxRows))).toEqual([]);
    expect(faultsOf(rows(maxRows + 1))).toEqual([expect.stringContaining('more than 20000 rows')]);
    expect(faultsOf(rows(100_000))).toHaveLength(1);
  });
});

const text = (maxLength: number) => fc.string({ unit: 'binary', maxLength });
/** Texts of characters that have a meaning in CSV or in spreadsheets. */
const hostile = fc
  .array(
    fc.constantFrom(...['=', "'", '"', ',', ';', '\n', '\r', '\t', '|', '\\', ' ', '@', 'ё', '-']),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
const any = (maxLength: number) => fc.oneof(text(maxLength), hostile);
const products = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 999_999 }),
    name: any(200).map((name) => `${name}n`.slice(-200)),
    tagline: any(50),
    description: any(50),
    price: fc.double({ min: 0, max: 90000000000000, noNaN: true }).map((price) => price + 0),
    image: fc.constantFrom('', '/a.png', 'https://x.kz/a,b.png'),
    features: fc.array(any(20), { maxLength: 4 }),
    category: any(20),
    order: fc.integer({ min: 1, max: 999 }),
  }),
  { selector: ({ id }) => id, maxLength: 5 },
);

describe('exported products', () => {
  it('are imported unchanged, and no cell is a formula', () => {
    fc.assert(
      fc.property(products, (given: readonly Product[]) => {
        const csv = writeProducts(given);
        const { rows, faults } = read(csv);
        expect(faults).toEqual([]);
        const { added, changed, unchanged } = planImport(rows, given);
        expect([added, changed, unchanged]).toEqual([[], [], given.length]);
        for (const { fields } of rows) expect(Object.keys(fields)).toHaveLength(7);
        expect(csv).not.toMatch(/(?:^|[,;\r\n\t])"*[=+\-@]/);
      }),
      { numRuns: 200 },
    );
  });

  it('have the columns in the documented order', () => {
    const given = {
      id: 3,
      ...completeProduct({ name: '=a', price: 1.5, features: ['x', 'y'] }),
      order: 1,
    };
    expect(writeProducts([given])).toBe(
      "id,name,tagline,description,price,category,features,image\r\n3,'=a,,,1.5,,x|y,\r\n",
    );
  });
});

it('an import plan lists new, changed, unchanged and unknown products', () => {
  const product = { id: 1, ...completeProduct({ name: 'a', price: 5 }), order: 4 };
  const { rows } = read('id,name,price\n1,a,5\n,b,1\n9,c,1\n');
  expect(planImport(rows, [product])).toEqual({
    added: [completeProduct({ name: 'b', price: 1 })],
    changed: [],
    unchanged: 1,
    faults: [{ line: 4, column: 'id', message: 'is not the ID of a product' }],
  });
  const other = read('id,name,price\n1,a,6\n').rows;
  expect(planImport(other, [product]).changed).toEqual([{ ...product, price: 6 }]);
});
