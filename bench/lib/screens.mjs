// Creates definitions of any size, and the same list with React.
const statuses = {
  new: { label: 'New', tone: 'info' },
  check: { label: 'In review', tone: 'warn' },
  risk: { label: 'Deviation', tone: 'risk' },
  done: { label: 'Approved', tone: 'ok', dim: true },
};

const columns = [
  { key: 'id', label: 'Number', sortable: true, sub: 'subject' },
  { key: 'partner', label: 'Partner', sortable: true },
  { key: 'amount', label: 'Amount', type: 'num', sortable: true },
  { key: 'due', label: 'Due', type: 'date', sortable: true },
  { key: 'kind', label: 'Kind', values: ['Supply', 'Rent', 'Service'] },
  { key: 'status', label: 'Status', type: 'status', values: Object.keys(statuses) },
];

/** Returns a work queue with this many rows of six columns. */
export function makeQueue(count) {
  const keys = Object.keys(statuses);
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `C-${1000 + index}`,
    subject: `Wheat of class ${index % 5}, ${index * 3} t`,
    partner: `Partner & Sons ${index % 17}`,
    amount: 1000 + ((index * 7919) % 99_000),
    due: new Date(Date.UTC(2026, 0, 1 + (index % 90))).toISOString().slice(0, 10),
    kind: columns[4].values[index % 3],
    status: keys[index % 4],
    owner: `Owner ${index % 7}`,
  }));
  return {
    product: { name: 'Contracts', entity: 'Contract', purpose: 'To be approved', language: 'en' },
    nav: [
      { label: 'Inbox', icon: 'inbox' },
      { label: 'All', view: 'registry' },
    ],
    kpis: [
      { value: '12', label: 'To approve', hint: 'of 48' },
      { value: '2', label: 'Due today' },
      { value: '1.8 d', label: 'Median answer', note: 'Working days only' },
    ],
    scenario: {
      headline: 'Approve',
      control: 'Approve contract',
      reject: 'Return it',
      approveTo: 'done',
      aiSummary: 'The agent compared all contracts with the template.',
    },
    statuses,
    chart: { title: 'By status', groupBy: 'status' },
    table: { columns, rows },
    drawer: {
      titleKey: 'id',
      fields: [
        { key: 'partner', label: 'Partner' },
        { key: 'owner', label: 'Owner' },
      ],
    },
    conclusion: { text: 'Start with the deviations.' },
  };
}

/** Returns a work queue with every block, and with checks and documents in the rows. */
export function makeRichQueue(count) {
  const queue = makeQueue(count);
  const rows = queue.table.rows.map((row, index) => ({
    ...row,
    ...(index % 4 === 2 ? { _flags: ['The term differs from the template'] } : {}),
    ...(index % 4 === 0 ? { _docs: [{ label: 'Opinion', type: 'opinion', format: 'docx' }] } : {}),
  }));
  return {
    ...queue,
    nav: [
      { label: 'Inbox', icon: 'inbox', group: 'Work' },
      { label: 'All', view: 'registry', group: 'Work' },
      { label: 'Opinions', view: 'documents', group: 'Papers' },
    ],
    banner: {
      text: 'Two contracts are due today. Open the list and start with them.',
      tone: 'warn',
      action: 'Open the list',
      actionNav: 1,
    },
    activity: [
      { title: 'C-1003 approved', time: '12:40', who: 'A. Ivanova', tone: 'ok' },
      {
        title: 'A deviation was found',
        time: '11:05',
        tone: 'risk',
        tags: ['supply'],
        summary: 'The penalty of C-1002 is five times that of the template.',
        link: 'Open C-1002',
      },
    ],
    table: { ...queue.table, rows },
    drawer: { ...queue.drawer, flagsLabel: 'Checked by the agent' },
  };
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const number = new Intl.NumberFormat('en');

/** Returns the rows of a queue and their details as React elements, without the rest of the page. */
export function reactList({ createElement: h, Fragment }, { table, drawer, statuses: known }) {
  const badge = (key) =>
    h(
      'span',
      { className: `badge t-${known[key].tone}` },
      h(
        'svg',
        { className: 'icon', 'aria-hidden': true },
        h('use', { href: `#i-${known[key].tone}` }),
      ),
      known[key].label,
    );
  const content = ({ key, type, values }, row) => {
    if (type === 'status') return badge(row[key]);
    if (type === 'num') return number.format(row[key]);
    if (type === 'date') return h('time', { dateTime: row[key] }, day.format(new Date(row[key])));
    return values ? h('span', { className: 'tag' }, row[key]) : row[key];
  };
  const cell = (column, row, index) =>
    h(
      'td',
      { key: column.key, className: column.type === 'num' ? 'right num' : undefined },
      index === 0
        ? h('a', { className: 'open', href: `#row-${row.id}` }, content(column, row))
        : content(column, row),
      column.sub && h('div', { className: 'sub' }, row[column.sub]),
    );
  const line = (row, index) =>
    h(
      'tr',
      {
        key: row.id,
        'data-row': index,
        'data-status': row.status,
        className: known[row.status].dim ? 'dim' : undefined,
      },
      table.columns.map((column, place) => cell(column, row, place)),
    );
  const details = (row) =>
    h(
      'details',
      { key: row.id, id: `row-${row.id}` },
      h('summary', null, row.id),
      h(
        'dl',
        null,
        drawer.fields.map(({ key, label }) =>
          h('div', { key }, h('dt', null, label), h('dd', { 'data-key': key }, row[key])),
        ),
      ),
    );
  const head = table.columns.map(({ key, label }) => h('th', { key, scope: 'col' }, label));
  return h(
    Fragment,
    null,
    h('table', null, h('thead', null, h('tr', null, head)), h('tbody', null, table.rows.map(line))),
    table.rows.map(details),
  );
}
