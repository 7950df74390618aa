import { AppError } from '../../src/base/errors.js';
import { exactInteger } from '../../src/json/exact-json.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { formatTenge } from '../../src/terminal/formats.js';
import { confirm } from '../../src/terminal/question.js';
import type { Command, CommandContext } from '../command.js';
import { moveMoney } from './doubt.js';
import { plainOption, questioner, requireAmount, requireId } from './flags.js';
import { readRow } from './operation-rows.js';
import { askBank, type CashierContext, payOptions, withCashier } from './pay-context.js';
import { refundKey } from './refund-key.js';

export const command: Command = {
  description:
    'Return an amount, all or part, of a paid operation. Asks for confirmation; without a terminal it needs --yes. Exit code 7: the bank’s answer was not clear; repeating the command is safe.',
  arguments: [{ name: '<id>', description: 'the operation’s id' }],
  options: [
    { flags: '--amount <tenge>', description: 'how much to return, such as 500 or 500,50' },
    {
      flags: '--new',
      description: 'another refund, also where one of this payment and amount is in doubt',
    },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    plainOption,
    ...payOptions,
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
    return withCashier(context, input, async (pay) => {
      const order = { qrOperationId: exactInteger(id), returnAmount: amount };
      const { key, note } = await refundKey(pay, order);
      if (note !== undefined) context.output.note(note);
      await confirmRefund(pay, { id, amount });
      const repeat = { key, isNew: note === undefined };
      const answer = await moveMoney(pay, {
        doing: 'Returning the money',
        key,
        words: doubtOf({ id, amount }),
        ask: (cashier) => cashier.refund(order, repeat),
      });
      context.output.result(answer, () => describeRefund(context, { id, amount }, answer));
    });
  },
};

interface WantedRefund {
  /** The operation's id. */
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
}

function doubtOf({ id, amount }: WantedRefund) {
  return {
    what: `It is not known whether ${formatTenge(amount)} of payment ${id} were returned`,
    advice: 'Repeating this command is safe: it uses the same key, and the money is returned once.',
  };
}

/** Shows what was paid by whom before money goes back. */
async function confirmRefund(pay: CashierContext, { id, amount }: WantedRefund): Promise<void> {
  const { context, input } = pay;
  const terminal = questioner(context);
  if (input.options.yes === true || !terminal) return;
  const answer = await askBank(pay, 'Looking up the payment', (cashier) =>
    cashier.operationDetails(exactInteger(id)),
  );
  if (await confirm(terminal, questionOf(answer, { id, amount }), false)) return;
  throw new AppError('refused', 'Nothing was returned.');
}

function questionOf(answer: ProviderAnswer, { id, amount }: WantedRefund): string {
  const { amount: paid, returned, client, date } = readRow(answer);
  const of = paid === undefined ? '' : ` of ${formatTenge(paid)}`;
  const before = returned === undefined ? '' : ` (${formatTenge(returned)} are returned already)`;
  const about = [`payment ${id}`, date, client].filter(Boolean).join(', ');
  return `Return ${formatTenge(amount)}${of}${before} to the client? ${about}`;
}

function describeRefund(
  { output }: CommandContext,
  { id, amount }: WantedRefund,
  { Data: data }: ProviderAnswer,
): string {
  const { AvailableAmount: left } = (data ?? {}) as { readonly AvailableAmount?: unknown };
  const lines = [output.colors.green(`✓ Returned  ${formatTenge(amount)}`), `Payment     ${id}`];
  if (typeof left === 'number') lines.push(`Left        ${formatTenge(left)}`);
  return lines.join('\n');
}
