import { AppError } from '../../src/base/errors.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import { isDay, providerDay } from '../../src/payments/zoned-time.js';
import { csvRecord } from '../../src/terminal/csv.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command, CommandInput } from '../command.js';
import { defaultLimit, readLimit, readText } from '../flags.js';
import { tableText } from '../print-table.js';
import { type OperationRow, operationColumns, readRows, toRow } from './operation-rows.js';
import { type PayContext, payOptions, requireCashier, withPay } from './pay-context.js';

const defaultDays = 30;

export const command: Command = {
  description: 'List the organization’s operations of a period, the newest first.',
  options: [
    {
      flags: '--from <date>',
      description: `first day, YYYY-MM-DD (default: ${defaultDays} days up to --to)`,
    },
    { flags: '--to <date>', description: 'last day, YYYY-MM-DD (default: today)' },
    { flags: '--limit <n>', description: `at most n (default ${defaultLimit}; 0 = all)` },
    { flags: '--csv', description: 'print CSV for a spreadsheet' },
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay history', description: 'The last days' },
    {
      command:
        'msgsite pay history --from 2026-11-01 --to 2026-11-30 --limit 0 --csv > november.csv',
      description: 'A month for the bookkeeper',
    },
  ],
  async run(context, input) {
    const { output } = context;
    if (input.options.csv === true && output.json) {
      throw new AppError('usage', '--csv and --json exclude each other.');
    }
    const limit = readLimit(input);
    return withPay(context, input, async (pay) => {
      const period = readPeriod(pay);
      const { cashier } = await requireCashier(pay);
      const { rows, more } = await withSpinner(context.stderr, 'Asking the bank', () =>
        collect(pay, cashier, { ...period, limit }),
      );
      if (input.options.csv === true) output.write(toCsv(rows.map(toRow)));
      else output.result({ ...period, operations: rows, more }, () => describe(pay, rows));
      if (more) output.note(`Only the newest ${limit} are shown; --limit 0 shows all.`);
    });
  },
};

interface Period {
  /** Both included, `YYYY-MM-DD` in the provider's zone. */
  readonly from: string;
  readonly to: string;
}

function readPeriod({ context, input, zone }: PayContext): Period {
  const to = readDay(input, 'to') ?? providerDay(context.clock.now(), zone);
  const earliest = new Date(Date.parse(to) - (defaultDays - 1) * 86_400_000);
  const from = readDay(input, 'from') ?? earliest.toISOString().slice(0, 10);
  if (from > to) throw new AppError('usage', `--from ${from} is later than --to ${to}.`);
  return { from, to };
}

function readDay(input: CommandInput, name: 'from' | 'to'): string | undefined {
  const text = readText(input, name);
  if (text === undefined || isDay(text)) return text;
  throw new AppError('usage', `--${name} ${text} is no date.`, {
    hint: 'Write dates as 2026-11-21.',
  });
}

type Data = Readonly<Record<string, unknown>>;

/** A provider that never comes to an end is left after this many pages. */
const mostPages = 1000;

/** Pages back from the last day until the first one, the limit or the end is reached. */
async function collect(
  { payments }: PayContext,
  cashier: Cashier,
  { from, to, limit }: Period & { readonly limit: number },
): Promise<{ readonly rows: readonly Data[]; readonly more: boolean }> {
  const rows: Data[] = [];
  let last: string | undefined;
  for (let page = 0; page < mostPages && rows.length <= limit; page++) {
    const answer = await payments.gateway.operations(cashier, {
      endDate: to,
      ...(last === undefined ? {} : { lastTransactionDate: last }),
    });
    const found = readRows(answer);
    rows.push(...found.filter((row) => dayOf(row) >= from));
    const oldest = found.at(-1);
    const next = oldest && dateOf(oldest);
    // Without a way on, or past the first day, there is nothing more to ask for.
    if (!oldest || !next || next === last || dayOf(oldest) < from || !hasMore(answer)) break;
    last = next;
  }
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

function dateOf({ TransactionDate, CreatedDate }: Data): string {
  const date = TransactionDate ?? CreatedDate;
  return typeof date === 'string' ? date : '';
}

function dayOf(row: Data): string {
  return dateOf(row).slice(0, 10);
}

/** A provider that does not say whether there is more is asked again. */
function hasMore({ Data: data }: Data): boolean {
  return (data as { HasMore?: unknown } | null)?.HasMore !== false;
}

function describe({ context }: PayContext, rows: readonly Data[]): string {
  if (rows.length === 0) return 'No operations in this period.';
  return tableText(context, rows.map(toRow), operationColumns);
}

const csvColumns = [
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
] as const satisfies readonly (readonly [string, (row: OperationRow) => string | number | null])[];

function toCsv(rows: readonly OperationRow[]): string {
  const head = csvRecord(csvColumns.map(([name]) => name));
  return head + rows.map((row) => csvRecord(csvColumns.map(([, value]) => value(row)))).join('');
}
