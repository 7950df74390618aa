import type { Differences } from '#validators/gateway';
import { exitCodes } from '../../src/base/errors.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import { wrapWords } from '../../src/base/text-columns.js';
import { yesterday } from '../../src/payments/reconcile/days.js';
import {
  countDifferences,
  type DescribedDifference,
  describeDifferences,
} from '../../src/payments/reconcile/differences.js';
import { providerDay } from '../../src/payments/zoned-time.js';
import { formatTenge } from '../../src/terminal/formats.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command } from '../command.js';
import { nextCommand } from '../next-command.js';
import { readPastDay } from './flags.js';
import { type CashierContext, payOptions, withCashier } from './pay-context.js';

export const command: Command = {
  description:
    'Compare the provider’s operations of one day with the stored records of the signed-in organization, and show how to resolve each difference. Exit code: 0 no differences, 1 differences.',
  options: [
    { flags: '--day <date>', description: 'the day, YYYY-MM-DD (default: yesterday)' },
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay reconcile', description: 'Compare yesterday' },
    {
      command: 'msgsite pay reconcile --day 2026-11-21 --json',
      description: 'Print the comparison of a day as JSON',
    },
  ],
  run: (context, input) =>
    withCashier(context, input, async (pay) => {
      const now = context.clock.now();
      const zone = await pay.gateway.zone();
      const day = readPastDay(input, providerDay(now, zone), yesterday(now, zone));
      const differences = await withSpinner(context, 'Contacting the bank', () =>
        pay.cashier.reconcile(day, context.signal),
      );
      context.output.result(differences, () => describe(pay, differences));
      return countDifferences(differences) === 0 ? exitCodes.done : exitCodes.failure;
    }),
};

/** The titles of the kinds of differences, in the order of the report. */
const titles: Readonly<Record<DescribedDifference['kind'], string>> = {
  missingHere: 'Missing here',
  missingThere: 'Missing at the provider',
  otherAmount: 'Different amount',
  otherStatus: 'Different status',
  flipped: 'Changed outcome',
  inDoubt: 'In doubt',
};

function describe(pay: CashierContext, differences: Differences): string {
  const { green, red } = pay.context.output.colors;
  const { day } = differences;
  const count = countDifferences(differences);
  if (count === 0) return `${green('✓')} ${day}: no difference`;
  const all = describeDifferences(differences);
  const groups = Object.entries(titles).flatMap(([kind, title]) => {
    const group = all.filter((each) => each.kind === kind);
    return group.length === 0 ? [] : [['', title, ...group.flatMap((each) => lines(pay, each))]];
  });
  const head = `${red('✗')} ${day}: ${count} ${count === 1 ? 'difference' : 'differences'}`;
  return [head, ...groups.flat()].join('\n');
}

function lines({ context, input }: CashierContext, difference: DescribedDifference): string[] {
  const { id, amount, says, advice, next } = difference;
  const { bold, dim } = context.output.colors;
  const money = amount === null ? '' : `  ${formatTenge(amount)}`;
  return [
    `  ${bold(escapeForeign(id))}${money}`,
    ...wrapped(says),
    ...(advice === '' ? [] : wrapped(advice).map(dim)),
    ...next.map(({ path, words }) => `    → ${nextCommand(input, path, words)}`),
  ];
}

/** Returns a text as indented lines for a terminal with 80 columns. */
function wrapped(text: string): string[] {
  return wrapWords(escapeForeign(text), 76).map((line) => `    ${line}`);
}
