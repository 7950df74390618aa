import type { CashierTakings, DayReport } from '#validators/gateway';
import { csvRecord } from '../../src/base/csv.js';
import { AppError } from '../../src/base/errors.js';
import type { Takings } from '../../src/payments/reconcile/day-report.js';
import { providerDay } from '../../src/payments/zoned-time.js';
import { formatTenge } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Command, CommandContext } from '../command.js';
import { tableText } from '../list.js';
import { readPastDay } from './flags.js';
import { payOptions, withPay } from './pay-context.js';

export const command: Command = {
  description:
    'Show the payments, refunds and net amount of a day from the stored records, in total and for each cashier. Days are in the provider’s time zone.',
  options: [
    { flags: '--day <date>', description: 'the day, YYYY-MM-DD (default: today)' },
    { flags: '--csv', description: 'print CSV for a spreadsheet' },
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay report', description: 'Show today’s takings' },
    {
      command: 'msgsite pay report --day 2026-11-21 --csv > z-report.csv',
      description: 'Export a day for the bookkeeper',
    },
  ],
  async run(context, input) {
    const { output, clock } = context;
    if (input.options.csv === true && output.json) {
      throw new AppError('usage', '--csv and --json cannot be combined.');
    }
    return withPay(context, input, async (pay) => {
      const today = providerDay(clock.now(), await pay.gateway.zone());
      const day = readPastDay(input, today, today);
      const report = await (await pay.records()).report(day);
      if (input.options.csv === true) output.write(toCsv(report));
      else output.result(report, () => describe(context, report));
      if (day === today) output.note('The day has not ended yet.');
    });
  },
};

const kinds = [
  ['qr', 'QR payments'],
  ['invoice', 'Invoices'],
  ['refund', 'Returned'],
] as const;

interface Line {
  readonly title: string;
  readonly count: number | null;
  readonly sum: number;
}

function describe(context: CommandContext, report: DayReport): string {
  const { bold } = context.output.colors;
  const title = bold(`Report for ${report.day} (${report.zone})`);
  const parts = [title, tableText(context, linesOf(report), lineColumns)];
  if (report.cashiers.length > 0) {
    parts.push(tableText(context, report.cashiers, cashierColumns(report)));
  }
  if (report.corrected !== undefined) parts.push(correctedText(report.corrected));
  return parts.join('\n\n');
}

function correctedText(count: number): string {
  const subject = count === 1 ? '1 payment of this day was' : `${count} payments of this day were`;
  return `${subject} later corrected by the bank. The sums use the latest outcome, which msgsite pay payments shows under FLIPPED TO.`;
}

function linesOf(report: DayReport): Line[] {
  const { gross, net } = report;
  const [qr, invoice, refund] = kinds.map(([kind, title]) => ({ title, ...report[kind] }));
  const rows = [qr, invoice, { title: 'Gross', ...gross }, refund].filter(
    (row) => row !== undefined,
  );
  return [
    ...rows.map((row) => (row === refund ? { ...row, sum: -row.sum } : row)),
    { title: 'Net', count: null, sum: net },
  ];
}

const lineColumns: readonly TableColumn<Line>[] = [
  { title: 'KIND', text: ({ title }) => title },
  { title: 'COUNT', align: 'right', text: ({ count }) => (count === null ? '' : String(count)) },
  { title: 'SUM', align: 'right', text: ({ sum }) => formatTenge(sum) },
];

/** Returns the columns of the table of cashiers. The organization is shown only if there are several. */
function cashierColumns({ cashiers }: DayReport): readonly TableColumn<CashierTakings>[] {
  const isOne = new Set(cashiers.map(({ organizationId }) => organizationId)).size === 1;
  const total = (kind: 'qr' | 'invoice' | 'refund') => (row: Takings) => {
    const { count, sum } = row[kind];
    return count === 0 ? '' : `${count}: ${formatTenge(sum)}`;
  };
  return [
    { title: 'ORGANIZATION', text: (row) => (isOne ? '' : String(row.organizationId)) },
    { title: 'CASHIER', text: ({ cashier }) => cashier ?? 'not recorded' },
    { title: 'QR', align: 'right', optional: 2, text: total('qr') },
    { title: 'INVOICES', align: 'right', optional: 3, text: total('invoice') },
    { title: 'RETURNED', align: 'right', optional: 1, text: total('refund') },
    { title: 'NET', align: 'right', text: ({ net }) => formatTenge(net) },
  ];
}

/** Returns one row per cashier and kind. Refunds are negative, so that the sums add up to the net amount. */
function toCsv({ day, cashiers }: DayReport): string {
  const head = csvRecord(['day', 'organization', 'cashier', 'kind', 'count', 'sum']);
  const rows = cashiers.flatMap((row) =>
    kinds.map(([kind]) => {
      const { count, sum } = row[kind];
      const signed = kind === 'refund' && sum !== 0 ? -sum : sum;
      return csvRecord([day, row.organizationId, row.cashier ?? '', kind, count, signed]);
    }),
  );
  return head + rows.join('');
}
