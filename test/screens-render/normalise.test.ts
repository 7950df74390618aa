import { describe, expect, it } from 'vitest';
import { archetypes } from '../../src/screens/normalise/archetype.js';
import { normaliseScreen, type Screen } from '../../src/screens/normalise/normalise.js';

const product = { name: 'Contracts', entity: 'Contract' };
const table = {
  columns: [
    { key: 'id', label: 'No.' },
    { key: 'sum', label: 'Sum', type: 'num' },
    { key: 'state', label: 'State', type: 'status', values: ['open', 'done'] },
  ],
  rows: [
    { id: 'C-1', sum: 10, state: 'open', day: '2026-01-02' },
    { id: 'C-2', sum: 20, state: 'done' },
  ],
};
const statuses = {
  open: { label: 'Open', tone: 'info' },
  done: { label: 'Done', tone: 'ok', dim: true },
};

function codes(screen: Screen): string[] {
  return screen.degradations.map(({ code, path, detail }) => `${code} ${path} ${detail}`);
}

describe('archetype', () => {
  const blocks: Record<string, object> = {
    compare: { compare: { pairs: [{ label: 'Sum', a: 'id', b: 'sum' }] }, table },
    custom: { sections: [{ title: 'A' }] },
    document: { document: { title: 'D', fragments: [{ text: 'a' }, { text: 'b' }] } },
    copilot: { artifact: { title: 'A', preview: 'x' } },
    wizard: { wizard: { steps: [{ title: 'S', fields: [{ label: 'F' }] }] } },
    inbox: { inbox: { bodyKey: 'id' }, table },
    analytics: { analytics: { charts: [], findings: [{ title: 'F' }] } },
    calendar: { calendar: { events: [{ date: '2026-01-01', title: 'E' }] } },
    map: { map: { points: [{ label: 'P', x: 1, y: 2 }] } },
    timeline: { timeline: { events: [{ time: 'now', title: 'E' }] } },
  };

  it('is the queue by default', () => {
    expect(normaliseScreen({ product })).toMatchObject({ archetype: 'queue', degradations: [] });
  });

  it.each(archetypes)('%s is shown if its data is defined', (archetype) => {
    const screen = normaliseScreen({ product, statuses, archetype, ...blocks[archetype] });
    expect(screen).toMatchObject({ archetype, degradations: [] });
  });

  it.each(Object.keys(blocks))('%s without its data becomes the queue', (archetype) => {
    const screen = normaliseScreen({ product, archetype });
    expect(screen.archetype).toBe('queue');
    expect(codes(screen)[0]).toMatch(/^archetype-block-missing \/archetype /);
  });

  it('becomes the queue if it is unknown', () => {
    const screen = normaliseScreen({ product, archetype: 'kanban' });
    expect(screen.archetype).toBe('queue');
    expect(codes(screen)).toEqual(['archetype-unknown /archetype kanban']);
  });

  it('is read from the deprecated layout if it is missing', () => {
    expect(normaliseScreen({ product, layout: 'cockpit' }).archetype).toBe('cockpit');
  });

  it('has priority over layout', () => {
    const screen = normaliseScreen({ product, archetype: 'queue', layout: 'cockpit' });
    expect(screen.archetype).toBe('queue');
    expect(codes(screen)).toEqual(['layout-ignored /layout cockpit']);
  });
});

describe('width', () => {
  const texts = { product, archetype: 'custom', sections: [{ title: 'A', body: 'x' }] };

  it.each([
    ['reading for text sections only', texts, 'reading'],
    ['full on request', { ...texts, width: 'full' }, 'full'],
    ['reading on request', { product, width: 'reading' }, 'reading'],
    ['full with cards', { ...texts, sections: [{ title: 'A', type: 'cards' }] }, 'full'],
    ['full with fields', { ...texts, sections: [{ title: 'A', fields: [{}] }] }, 'full'],
    ['full with a table', { ...texts, table }, 'full'],
    ['full for a queue', { product }, 'full'],
  ])('is %s', (_, definition, width) => {
    expect(normaliseScreen(definition).width).toBe(width);
  });
});

describe('table', () => {
  it('has default values', () => {
    const screen = normaliseScreen({ product, table, statuses });
    expect(screen.table).toMatchObject({
      pageSize: 12,
      paged: false,
      statusColumn: { key: 'state' },
      columns: [
        { type: 'text', align: 'left', sortable: false },
        { type: 'num', align: 'right' },
        { type: 'status', align: 'left' },
      ],
      filters: [
        { status: { key: 'open', dim: false }, count: 1 },
        { status: { key: 'done', dim: true }, count: 1 },
      ],
    });
    expect(codes(screen)).toEqual([]);
  });

  it('is paged only if its rows do not fit on one page', () => {
    expect(normaliseScreen({ product, table: { ...table, pageSize: 1 } }).table?.paged).toBe(true);
    expect(normaliseScreen({ product, table: { ...table, pageSize: 2 } }).table?.paged).toBe(false);
  });

  it.each([
    ['120px', '120px'],
    ['120', '120px'],
    ['12.5rem', '12.5rem'],
    ['30%', '30%'],
    ['calc(1px)', undefined],
    ['1px;color:red', undefined],
  ])('reads the column width %s as %s', (width, expected) => {
    const columns = [{ key: 'id', label: 'No.', width }];
    expect(
      normaliseScreen({ product, table: { columns, rows: [] } }).table?.columns[0]?.width,
    ).toBe(expected);
  });

  it('shows every column in the drawer if the definition has no drawer', () => {
    const { drawer } = normaliseScreen({ product, table, statuses });
    expect(drawer.titleKey).toBe('id');
    expect(drawer.fields.map(({ key }) => key)).toEqual(['id', 'sum', 'state']);
  });
});

describe('chart', () => {
  const source = (chart: object) => normaliseScreen({ product, table, chart });

  it('counts days when bucket and dateKey are set, even with groupBy', () => {
    const screen = source({ bucket: 'day', dateKey: 'day', groupBy: 'state' });
    expect(screen.chart?.source).toEqual({ kind: 'days', dateKey: 'day' });
    expect(codes(screen)).toContain('group-by-ignored /chart/groupBy state');
  });

  it('falls back to groups without dateKey', () => {
    const screen = source({ bucket: 'day', groupBy: 'state', bars: [{ value: 1 }] });
    expect(screen.chart?.source).toEqual({ kind: 'groups', groupBy: 'state' });
    expect(codes(screen)).toContain('bucket-without-date-key /chart/bucket day');
  });

  it('shows static bars in blue by default', () => {
    expect(source({ bars: [{ value: 1 }] }).chart).toMatchObject({
      color: 'blue',
      source: { kind: 'bars', bars: [{ value: 1 }] },
    });
  });
});

describe('references', () => {
  it('to unknown targets are reported with their location', () => {
    const screen = normaliseScreen({
      product,
      table: { ...table, rows: [...table.rows, { state: 'lost' }] },
      statuses,
      nav: [{ label: 'Home' }],
      banner: { text: 'x', action: 'Go', actionNav: 1 },
      scenario: { headline: 'Approve', control: 'Approve', approveTo: 'gone', rejectTo: 'open' },
      drawer: { titleKey: 'nope', fields: [{ key: 'day', label: 'Day' }] },
      map: {
        points: [{ label: 'P', x: 120, y: -1, status: 'gone' }],
        lines: [
          [0, 0],
          [0, 3],
          // Incomplete pairs violate the contract and are not reported here.
          [0],
        ],
      },
      dashboard: { series: [{ points: [{ label: 'a', value: 'n/a' }] }] },
      wizard: { current: 4, steps: [{ title: 'S', fields: [] }] },
      steps: { items: ['a'], current: 2 },
      calendar: { events: [{ date: '2026-02-30', title: 'E' }] },
      sections: [{ title: 'T', type: 'chat' }],
    });
    expect(codes(screen)).toEqual([
      'status-unknown /table/rows/2/state lost',
      'key-unknown /drawer/titleKey nope',
      'index-out-of-range /steps/current 2',
      'status-unknown /scenario/approveTo gone',
      'index-out-of-range /banner/actionNav 1',
      'section-without-payload /sections/0/type chat',
      'index-out-of-range /wizard/current 4',
      'date-invalid /calendar/events/0/date 2026-02-30',
      'status-unknown /map/points/0/status gone',
      'index-out-of-range /map/lines/1 3',
      'index-out-of-range /dashboard/series/0 0',
      'value-not-drawable /dashboard/series/0/points/0/value n/a',
    ]);
    expect(screen.map?.points[0]).toMatchObject({ x: 100, y: 0 });
    expect(screen.map?.lines).toEqual([[0, 0]]);
    expect(screen.wizard?.current).toBe(0);
    expect(screen.steps?.current).toBe(1);
    expect(screen.scenario?.rejected?.label).toBe('Open');
  });
});

describe('navigation', () => {
  it('numbers its items without counting headings', () => {
    const nav = [
      { label: 'A' },
      { label: 'B', group: 'G' },
      { label: 'C', group: 'G' },
      { label: 'D' },
    ];
    expect(
      normaliseScreen({ product, nav }).nav.map(({ heading, items }) => [
        heading,
        items.map(({ index }) => index),
      ]),
    ).toEqual([
      [undefined, [0]],
      ['G', [1, 2]],
      [undefined, [3]],
    ]);
  });
});

describe('an invalid definition', () => {
  it.each([[null], [[]], ['x'], [1], [{ product: 5, table: { columns: {}, rows: 7 } }]])(
    'becomes an empty queue: %j',
    (value) => {
      expect(normaliseScreen(value)).toMatchObject({
        archetype: 'queue',
        product: { name: '', entity: '' },
        table: undefined,
      });
    },
  );

  it('treats hostile keys as data', () => {
    const value: unknown = JSON.parse(`{
      "product": {"name": "x", "entity": "y", "__proto__": {"purpose": "polluted"}},
      "statuses": {"__proto__": {"label": "P", "tone": "ok"}, "constructor": {"label": "C", "tone": "ok"}},
      "table": {"columns": [{"key": "__proto__", "label": "P", "type": "status"}], "rows": [{"__proto__": "constructor"}]}
    }`);
    const screen = normaliseScreen(value);
    expect(screen.product.purpose).toBeUndefined();
    expect(screen.statuses.map(({ key }) => key)).toEqual(['__proto__', 'constructor']);
    expect(screen.table?.rows[0]?.status).toBe('constructor');
    expect(Object.hasOwn(Object.prototype, 'purpose')).toBe(false);
  });
});
