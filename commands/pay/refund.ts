import { AppError } from '../../src/base/errors.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { formatTenge } from '../../src/terminal/money.js';
import type { Command } from '../command.js';
import { questioner, requireAmount, requireId } from './flags.js';
import { readRow } from './operation-rows.js';
import { asking, requireCashier, type SignedIn, type Till, tillOptions, withTill } from './till.js';

export const command: Command = {
  description:
    'Return an amount, all or part, of a paid operation. Asks for confirmation; without a terminal it needs --yes.',
  arguments: [{ name: '<id>', description: 'the operation’s id' }],
  options: [
    { flags: '--amount <tenge>', description: 'how much to return, such as 500 or 500,50' },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    ...tillOptions,
  ],
  examples: [
    { command: 'msgsite pay refund 1795230000 --amount 500', description: 'Return a part' },
    {
      command: 'msgsite pay refund 1795230000 --amount 1500 --yes --json',
      description: 'Return it from a script',
    },
  ],
  async run(context, input) {
    const id = requireId(input);
    const amount = await requireAmount(context, input);
    if (input.options.yes !== true && !questioner(context)) {
      throw new AppError('usage', '--yes is missing: without a terminal nobody can confirm.');
    }
    return withTill(context, input, async (till) => {
      const signedIn = await requireCashier(till);
      await confirmRefund(till, signedIn, { id, amount });
      const order = { qrOperationId: Number(id), returnAmount: amount };
      const { gateway } = till.payments;
      const answer = await asking(till, 'Returning the money', () =>
        gateway.refund(signedIn.cashier, order),
      );
      context.output.result(answer, () => describeRefund(till, { id, amount }, answer));
      return 0;
    });
  },
};

interface Refund {
  readonly id: string;
  readonly amount: number;
}

/** Shows what was paid by whom before money goes back. */
async function confirmRefund(till: Till, { cashier }: SignedIn, { id, amount }: Refund) {
  const { context, input, payments } = till;
  const terminal = questioner(context);
  if (input.options.yes === true || !terminal) return;
  const answer = await asking(till, 'Looking up the payment', () =>
    payments.gateway.operationDetails(cashier, Number(id)),
  );
  const { confirm } = await import('../../src/terminal/ask.js');
  if (await confirm(terminal, questionOf(answer, { id, amount }), false)) return;
  throw new AppError('refused', 'Nothing was returned.');
}

function questionOf(answer: ProviderAnswer, { id, amount }: Refund): string {
  const { amount: paid, returned, client, date } = readRow(answer);
  const of = paid === undefined ? '' : ` of ${formatTenge(paid)}`;
  const before = returned === undefined ? '' : ` (${formatTenge(returned)} are returned already)`;
  const about = [`payment ${id}`, date, client].filter(Boolean).join(', ');
  return `Return ${formatTenge(amount)}${of}${before} to the client? ${about}`;
}

function describeRefund(
  { context }: Till,
  { id, amount }: Refund,
  { Data: data }: ProviderAnswer,
): string {
  const { AvailableAmount: left } = (data ?? {}) as { readonly AvailableAmount?: unknown };
  const lines = [
    context.output.colors.green(`✓ Returned  ${formatTenge(amount)}`),
    `Payment     ${id}`,
  ];
  if (typeof left === 'number') lines.push(`Left        ${formatTenge(left)}`);
  return lines.join('\n');
}
