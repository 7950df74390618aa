import { AppError } from '../../src/base/errors.js';
import type { InvoiceOrder } from '../../src/payments/gateway.js';
import { confirm } from '../../src/terminal/ask.js';
import { formatPhone, formatTenge } from '../../src/terminal/formats.js';
import type { Command, CommandInput } from '../command.js';
import { questioner, readText } from '../flags.js';
import { createPayment, creationOptions } from './create-payment.js';
import { readTimeout, wantAmount, wantPhone } from './flags.js';
import { readClientName } from './operation-rows.js';
import { askBank, type CashierContext, payOptions, withCashier } from './pay-context.js';

export const command: Command = {
  description:
    'Send an invoice to a client’s phone and wait until it is paid. On a terminal the client’s name is shown and confirmed first. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  options: [
    { flags: '--phone <number>', description: 'the client’s phone, such as 87011234567' },
    { flags: '--comment <text>', description: 'a line for the client' },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    ...creationOptions,
    ...payOptions,
  ],
  examples: [
    {
      command: 'msgsite pay invoice --phone "+7 701 123-45-67" --amount 1500',
      description: 'Bill a client and wait',
    },
    {
      command: 'msgsite pay invoice --phone 87011234567 --amount 1500 --no-wait --json',
      description: 'Bill a client from a script',
    },
  ],
  async run(context, input) {
    readTimeout(input);
    const phone = wantPhone(context, input, 'Client’s phone:');
    const amount = wantAmount(context, input);
    const comment = commentOf(input);
    return withCashier(context, input, async (pay) => {
      const order = { phoneNumber: await phone(), amount: await amount() };
      return bill(pay, { ...order, ...(comment ? { comment } : {}) });
    });
  },
};

/** Characters of a comment, as the gateway takes them. */
const longestComment = 1_000;

function commentOf(input: CommandInput): string | undefined {
  const comment = readText(input, 'comment');
  if (comment === undefined || [...comment].length <= longestComment) return comment;
  throw new AppError('usage', `--comment takes at most ${longestComment} characters.`);
}

async function bill(pay: CashierContext, order: InvoiceOrder): Promise<number> {
  const answer = await askBank(pay, 'Looking up the client', (cashier) =>
    cashier.findClient(order.phoneNumber),
  );
  const clientName = readClientName(answer);
  await confirmOrder(pay, order, clientName);
  return createPayment(pay, {
    type: 'invoice',
    clientName,
    create: (cashier, repeat) => cashier.createInvoice(order, repeat),
  });
}

/** Nobody bills a stranger by a slip of the finger; without a terminal there is nobody to ask. */
async function confirmOrder(
  { context, input }: CashierContext,
  { phoneNumber, amount }: InvoiceOrder,
  clientName = 'a client without a name',
): Promise<void> {
  const terminal = input.options.yes === true ? undefined : questioner(context);
  if (!terminal) return;
  const client = `${clientName}, ${formatPhone(phoneNumber)}`;
  const question = `Send an invoice of ${formatTenge(amount)} to ${client}?`;
  if (await confirm(terminal, question, true)) return;
  throw new AppError('refused', 'Nothing was sent.');
}
