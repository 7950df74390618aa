import { expect, test } from 'vitest';
import { readOrderForm } from '../../../src/orders/pages/read-form.js';

const read = (text: string) => readOrderForm(Buffer.from(text, 'latin1'));

test.each([
  ['productId=3&quantity=2&key=abc', { productId: 3, quantity: 2, key: 'abc' }],
  ['productId=3', { productId: 3, quantity: 1, key: undefined }],
  ['productId=+3+&quantity=&key=', { productId: 3, quantity: 1, key: undefined }],
  ['productId=3&quantity=99&more=1', { productId: 3, quantity: 99, key: undefined }],
])('the order form %s is read', (text, form) => {
  expect(read(text)).toEqual(form);
});

test.each([
  ['', ['/productId']],
  ['productId=x&quantity=1', ['/productId']],
  ['productId=0', ['/productId']],
  ['productId=3&quantity=0', ['/quantity']],
  ['productId=3&quantity=100', ['/quantity']],
  ['productId=3&quantity=1.5', ['/quantity']],
  ['productId=3&quantity=-1', ['/quantity']],
  ['productId=1e3&quantity=1e1', ['/productId', '/quantity']],
  [`productId=3&key=${'k'.repeat(101)}`, ['/key']],
  ['productId=3&key=%0a%0d', []],
  ['productId=3&key=a%20b', ['/key']],
  ['productId=3&key=%00', ['/key']],
  ['productId=\xff', ['']],
])('the order form %s is refused with its invalid fields', (text, paths) => {
  let details: unknown = [];
  try {
    read(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'validation_failed' });
    details = (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
  expect(details).toEqual(paths);
});
