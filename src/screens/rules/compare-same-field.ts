import { pointer } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const compareSameField: Rule = {
  id: 'compare-same-field',
  severity: 'warning',
  summary: 'A field is compared with itself',
  documentation:
    'A pair of a comparison names a field of source A and a field of source B. Where both sides name the same field, they always agree.',
  examples: () => {
    const table = {
      columns: [
        { key: 'list_price', label: 'List price', type: 'num' },
        { key: 'invoice_price', label: 'Invoice price', type: 'num' },
      ],
      rows: [{ list_price: 31, invoice_price: 33.5 }],
    };
    const pair = { label: 'Price', a: 'list_price' };
    return {
      bad: { compare: { pairs: [{ ...pair, b: 'list_price' }] }, table },
      finds: ['/compare/pairs/0/b'],
      good: { compare: { pairs: [{ ...pair, b: 'invoice_price' }] }, table },
    };
  },
  check({ definition }, report) {
    for (const [index, { a, b }] of (definition.compare?.pairs ?? []).entries()) {
      if (a !== b || a === '') continue;
      report(pointer('compare', 'pairs', index, 'b'), `Field ${quote(a)} is compared with itself.`);
    }
  },
};
