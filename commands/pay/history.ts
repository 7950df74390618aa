import type { Operations } from '#validators/gateway';
import { csvRecord } from '../../src/base/csv.js';
import { AppError } from '../../src/base/errors.js';
import type { CashierCalls } from '../../src/payments/client/gateway-client.js';
import { operationsBack } from '../../src/payments/providers/operation-rows.js';
import { spanOf } from '../../src/payments/reconcile/days.js';
import { providerDay } from '../../src/payments/zoned-time.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command } from '../command.js';
import { cutText, limitOption, listText, readListLimit } from '../list.js';
import { readDay } from './flags.js';
import { operationColumns, type ShownOperation, toRow } from './operation-rows.js';
import { type PayContext, payOptions, requireCashier, withPay } from './pay-context.js';

const defaultDays = 30;

export const command: Command = {
  description: 'List the organization’s operations in a period, newest first.',
  options: [
    {
      flags: '--from <date>',
      description: `first day, YYYY-MM-DD (default: the ${defaultDays} days up to --to)`,
    },
    { flags: '--to <date>', description: 'last day, YYYY-MM-DD (default: today)' },
    limitOption('list at most n'),
    { flags: '--csv', description: 'print CSV for a spreadsheet' },
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay history', description: 'List the last 30 days' },
    {
      command:
        'msgsite pay history --from 2026-11-01 --to 2026-11-30 --limit 0 --csv > november.csv',
      description: 'Export a month for the bookkeeper',
    },
  ],
  async run(context, input) {
    const { output } = context;
    if (input.options.csv === true && output.json) {
      throw new AppError('usage', '--csv and --json cannot be combined.');
    }
    const limit = readListLimit(context, input);
    return withPay(context, input, async (pay) => {
      const zone = await pay.gateway.zone();
      const period = readPeriod(pay, zone);
      const { cashier } = await requireCashier(pay);
      const { rows, more } = await withSpinner(context, 'Contacting the bank', () =>
        collect(cashier, { ...period, zone, limit }),
      );
      if (input.options.csv === true) output.write(toCsv(rows));
      else
        output.result({ ...period, operations: rows.map(asJson), more }, () =>
          listText(context, {
            rows,
            columns: operationColumns,
            empty: 'No operations in this period.',
            newest: 'first',
          }),
        );
      if (more) output.note(cutText(limit));
    });
  },
};

interface Period {
  /** The first day, `YYYY-MM-DD` in the provider's time zone. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

function readPeriod({ context, input }: PayContext, zone: string): Period {
  const to = readDay(input, 'to') ?? providerDay(context.clock.now(), zone);
  const earliest = new Date(Date.parse(to) - (defaultDays - 1) * 86_400_000);
  const from = readDay(input, 'from') ?? earliest.toISOString().slice(0, 10);
  if (from > to) throw new AppError('usage', `--from ${from} is later than --to ${to}.`);
  return { from, to };
}

/** Returns the newest operations of the period, up to the limit. */
async function collect(
  cashier: CashierCalls,
  { from, to, zone, limit }: Period & { readonly zone: string; readonly limit: number },
): Promise<{ readonly rows: readonly ShownOperation[]; readonly more: boolean }> {
  const ask = (period: Operations) => cashier.operations(period);
  const span = { since: spanOf(from, zone).from, until: spanOf(to, zone).from, zone };
  const rows: ShownOperation[] = [];
  for await (const row of operationsBack(ask, span)) {
    if (rows.length === limit) return { rows, more: true };
    rows.push(toRow(row));
  }
  return { rows, more: false };
}

/** The columns of the CSV and the keys of the JSON. */
const columns = [
  ['date', ({ date }) => date],
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['amount', ({ amount }) => amount ?? null],
  ['returned', ({ returned }) => returned ?? null],
  ['status', ({ status }) => status],
  ['description', ({ statusDesc }) => statusDesc],
  ['client', ({ client }) => client],
  ['phone', ({ phone }) => phone],
  ['order', ({ orderNumber }) => orderNumber],
] as const satisfies readonly (readonly [
  string,
  (row: ShownOperation) => string | number | null,
])[];

function asJson(row: ShownOperation): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(columns.map(([name, value]) => [name, value(row)]));
}

function toCsv(rows: readonly ShownOperation[]): string {
  const head = csvRecord(columns.map(([name]) => name));
  return head + rows.map((row) => csvRecord(columns.map(([, value]) => value(row)))).join('');
}
