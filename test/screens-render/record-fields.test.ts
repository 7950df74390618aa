import { describe, expect, it } from 'vitest';
import { renderScreen } from '../../src/screens/render/render-screen.js';

const table = {
  columns: [
    { key: 'code', label: 'Code', sub: 'maker' },
    { key: 'book', label: 'Book', type: 'num', sub: 'bookUnit' },
    { key: 'count', label: 'Count', type: 'num' },
    { key: 'place', label: 'Place', sub: 'floor' },
    { key: 'status', label: 'Status', type: 'status' },
  ],
  rows: [
    {
      code: 'K-1',
      maker: 'Acme <1>',
      book: 1200,
      bookUnit: 'in boxes',
      count: 1199,
      place: 'Shelf 4',
      floor: 'Second floor',
      status: 'new',
      note: 'Look again',
    },
  ],
};
const definition = {
  product: { name: 'Stock', entity: 'Item', language: 'en' },
  statuses: { new: { label: 'New', tone: 'info' } },
  table,
};

/** Returns the terms and values of the only record, without their tags. */
function fieldsOf(page: string): string[][] {
  const pane = page.slice(page.indexOf('id="pane-0"'));
  const fields = pane
    .slice(0, pane.indexOf('</article>'))
    .matchAll(/<dt>(.*?)<dd[^>]*>(.*?)<\/div>/g);
  return [...fields].map(([, name = '', value = '']) => [name, value]);
}

describe('a comparison', () => {
  const compare = { pairs: [{ label: 'Amount', a: 'book', b: 'count' }] };
  const draw = (more: object = {}): string =>
    renderScreen({ ...definition, archetype: 'compare', compare, ...more });

  it('shows the columns that its pairs do not contain, with their subtitles', () => {
    expect(fieldsOf(draw())).toEqual([['Place', 'Shelf 4<span class="sub">Second floor</span>']]);
  });

  it('shows the drawer fields first, with the labels of the drawer, and each field only once', () => {
    const drawer = {
      titleKey: 'code',
      fields: [
        { key: 'note', label: 'Remark' },
        { key: 'place', label: 'Where' },
      ],
    };
    expect(fieldsOf(draw({ drawer }))).toEqual([
      ['Remark', 'Look again'],
      ['Where', 'Shelf 4<span class="sub">Second floor</span>'],
    ]);
  });

  it('shows the subtitles of its title and of the compared values', () => {
    const page = draw();
    expect(page).toContain('<td>1,200<span class="sub">in boxes</span></td><td>1,199</td>');
    expect(page).toContain('K-1<span class="sub">Acme &lt;1&gt;</span></span>');
    expect(page).toContain('<p class="sub"><span>Acme &lt;1&gt;</span></p>');
  });

  it('has no empty list if no fields remain', () => {
    const pairs = [...compare.pairs, { label: 'Place', a: 'place', b: 'place' }];
    expect(fieldsOf(draw({ compare: { pairs } }))).toEqual([]);
  });
});

it('a letter shows the columns that its header and text do not contain', () => {
  const inbox = { titleKey: 'code', bodyKey: 'note' };
  const page = renderScreen({ ...definition, archetype: 'inbox', inbox });
  expect(fieldsOf(page)).toEqual([
    ['Book', '1,200<span class="sub">in boxes</span>'],
    ['Count', '1,199'],
    ['Place', 'Shelf 4<span class="sub">Second floor</span>'],
  ]);
});
