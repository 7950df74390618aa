import type { PaymentRow } from '#validators/gateway';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { type RepeatKey, repeatKeyOf } from '../../src/payments/idempotency.js';
import type { PaymentType } from '../../src/payments/payment.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { readCreated } from '../../src/payments/providers/provider-answer.js';
import { doubtWords } from '../../src/terminal/payment/payment-words.js';
import type { Command } from '../command.js';
import { nextCommand } from '../next-command.js';
import { amountSource, creationOptions, readTimeout } from './flags.js';
import { followPayment } from './follow-payment.js';
import { type CashierContext, moveMoney, payOptions, withCashier } from './pay-context.js';
import { cardOf } from './payment-view.js';
import { printCreated } from './presenter.js';

export const command: Command = {
  description:
    'Show a QR code for an amount and wait for the outcome. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  arguments: [{ name: '[amount]', description: 'amount, such as 1500 or 1500,50' }],
  options: [...creationOptions, ...payOptions],
  examples: [
    { command: 'msgsite pay qr 1500', description: 'Request 1 500 ₸ and wait' },
    {
      command: 'msgsite pay qr --amount 1500,50 --no-wait --json',
      description: 'Create a QR payment for another program to show',
    },
  ],
  async run(context, input) {
    readTimeout(input);
    const readAmount = amountSource(context, input);
    return withCashier(context, input, async (pay) => {
      const amount = await readAmount();
      return createPayment(pay, {
        type: 'qr',
        create: (repeat) => pay.cashier.createQr({ amount }, repeat),
      });
    });
  },
};

interface Creation {
  readonly type: PaymentType;
  create(repeat: RepeatKey): Promise<ProviderAnswer>;
  readonly clientName?: string | undefined;
}

/** Creates a payment, waits for its outcome unless `--no-wait` is given, and returns the exit code. */
export async function createPayment(pay: CashierContext, creation: Creation): Promise<number> {
  const { context, input, cashier } = pay;
  const { type, create, clientName } = creation;
  const timeout = readTimeout(input);
  // Created before the request, so that an interrupted command can report the key.
  const repeat = repeatKeyOf('');
  const move = {
    doing: 'Requesting the payment from the bank',
    key: repeat.key,
    words: doubtWords[type],
  };
  const answer = await moveMoney(context, move, () => create(repeat));
  const { payment, orgName } = await storedPayment(pay, type, answer);
  const extras = { clientName, orgName };
  if (input.options.wait === false) {
    const wait = nextCommand(input, 'pay wait', [payment.paymentId]);
    if (!context.output.json) {
      await printCreated(pay, cardOf(payment, extras));
      context.output.note(`To wait for it, run: ${wait}`);
    } else context.output.result(payment, () => '');
    return 0;
  }
  // A QR payment cannot be cancelled; it expires.
  const cancel = type === 'invoice' ? () => cashier.cancelInvoice(payment.paymentId) : undefined;
  return followPayment(pay, payment, { ...extras, timeout, cancel });
}

async function storedPayment(
  { records, cashier, input }: CashierContext,
  type: PaymentType,
  answer: ProviderAnswer,
): Promise<{ readonly payment: PaymentRow; readonly orgName: string }> {
  const { id } = readCreated(type, answer);
  try {
    const { organizationId, orgName } = await cashier.facts();
    return { payment: await (await records()).find({ id, type, organizationId }), orgName };
  } catch (error) {
    throw createdButNotShown(error, { id, wait: nextCommand(input, 'pay wait', [id]) });
  }
}

/** Returns an error which states that the payment exists, so that nobody creates a second one. */
function createdButNotShown(
  error: unknown,
  { id, wait }: { readonly id: string; readonly wait: string },
): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details, fields } = error;
  return new AppError(code, `Payment ${id} was created, but it cannot be shown: ${message}`, {
    ...(details ? { details } : {}),
    fields: { ...fields, paymentId: id },
    hint: `The customer can still pay it. To wait for the outcome, run: ${wait}`,
    exitCode: exitCodes.outcomeUnknown,
    cause: error,
  });
}
