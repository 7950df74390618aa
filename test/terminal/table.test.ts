import { describe, expect, it } from 'vitest';
import { formatTable, oneLine, type TableColumn } from '../../src/terminal/table.js';

interface Row {
  readonly name: string;
  readonly count: number;
  readonly note: string;
}

const rows: Row[] = [
  { name: 'Самал', count: 5, note: 'a long note that may be cut' },
  { name: 'Ә', count: 1200, note: '' },
];

const columns: TableColumn<Row>[] = [
  { title: 'NAME', text: ({ name }) => name },
  { title: 'COUNT', align: 'right', optional: 1, text: ({ count }) => String(count) },
  { title: 'NOTE', shrinkTo: 8, text: ({ note }) => note },
];

const table = (width: number) => formatTable({ rows, columns, width }).split('\n');

describe('formatTable', () => {
  it('aligns columns under their titles', () => {
    expect(table(80)).toEqual([
      'NAME   COUNT  NOTE',
      'Самал      5  a long note that may be cut',
      'Ә       1200',
    ]);
  });

  it('shortens shrinkable columns first, then omits optional ones', () => {
    expect(table(24)).toEqual(['NAME   COUNT  NOTE', 'Самал      5  a long no…', 'Ә       1200']);
    expect(table(20)).toEqual(['NAME   NOTE', 'Самал  a long note …', 'Ә']);
    expect(table(5)).toEqual(['NAME   NOTE', 'Самал  a long …', 'Ә']);
  });

  it('keeps the end of a shortened text if the column is configured that way', () => {
    const [, status] = formatTable({
      rows: ['RemotePaymentCreated'],
      columns: [{ title: 'STATUS', shrinkTo: 10, keep: 'end', text: (row) => row }],
      width: 12,
    }).split('\n');
    expect(status).toBe('…mentCreated');
  });

  it('colours cells without changing the layout', () => {
    const styled = columns.map((column) => ({ ...column, style: (cell: string) => `<${cell}>` }));
    expect(formatTable({ rows, columns: styled, width: 80 })).toContain('<Ә    >  < 1200>');
  });
});

describe('oneLine', () => {
  it('escapes control characters in untrusted text', () => {
    expect(oneLine('a\u001b[31mred\r\nb\u2028c')).toBe('a\\u001b[31mred b c');
  });
});
