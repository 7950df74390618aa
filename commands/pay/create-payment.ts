import { AppError, exitCodes } from '../../src/base/errors.js';
import type { CashierCalls, PaymentRow } from '../../src/payments/client/gateway-client.js';
import { type RepeatKey, repeatKeyOf } from '../../src/payments/idempotency.js';
import type { PaymentType } from '../../src/payments/payment.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { readCreated } from '../../src/payments/providers/provider-answer.js';
import type { OptionDefinition } from '../command.js';
import { nextCommand } from '../next-command.js';
import { moveMoney } from './doubt.js';
import { plainOption, readTimeout, timeoutOption } from './flags.js';
import { followPayment } from './follow-payment.js';
import type { CashierContext } from './pay-context.js';
import { cardOf } from './payment-view.js';
import { printCreated } from './presenter.js';

/** Flags of the commands that make a payment. */
export const creationOptions: readonly OptionDefinition[] = [
  { flags: '--amount <tenge>', description: 'amount, such as 1500 or 1500,50' },
  { flags: '--no-wait', description: 'do not wait for the outcome' },
  timeoutOption,
  plainOption,
];

interface Creation {
  readonly type: PaymentType;
  readonly create: (cashier: CashierCalls, repeat: RepeatKey) => Promise<ProviderAnswer>;
  readonly clientName?: string | undefined;
}

/** Makes a payment and, unless `--no-wait`, waits for what becomes of it; gives the exit code. */
export async function createPayment(pay: CashierContext, creation: Creation): Promise<number> {
  const { context, input, cashier } = pay;
  const { type, create, clientName } = creation;
  const timeout = readTimeout(input);
  // Made before it is asked: whoever interrupts the command is given it.
  const repeat = repeatKeyOf('');
  const answer = await moveMoney(pay, {
    doing: 'Asking the bank for the payment',
    key: repeat.key,
    words: doubts[type],
    ask: (bank) => create(bank, repeat),
  });
  const payment = await storedPayment(pay, type, answer);
  const extras = { clientName, orgName: pay.kept.orgName };
  if (input.options.wait === false) {
    const wait = nextCommand(input, 'pay wait', [payment.paymentId]);
    if (!context.output.json) {
      await printCreated(pay, cardOf(payment, extras));
      context.output.note(`Wait for it: ${wait}`);
    } else context.output.result(payment, () => '');
    return 0;
  }
  // A QR payment ends by itself.
  const cancel = type === 'invoice' ? () => cashier.cancelInvoice(payment.paymentId) : undefined;
  return followPayment(pay, payment, { ...extras, timeout, cancel });
}

/** A code that nobody has seen cannot be paid; an invoice may have reached its client. */
const doubts = {
  qr: {
    what: 'It is not known whether the QR payment was made',
    advice: 'Its code was not shown, so nobody can pay it: a new one can be made.',
  },
  invoice: {
    what: 'It is not known whether the invoice was sent',
    advice: 'The client may have it and pay it: send no other one before this is clear.',
  },
} as const;

async function storedPayment(
  { records, cashier, input }: CashierContext,
  type: PaymentType,
  answer: ProviderAnswer,
): Promise<PaymentRow> {
  const { id } = readCreated(type, answer);
  try {
    const { organizationId } = await cashier.facts();
    return await (await records()).find({ id, type, organizationId });
  } catch (error) {
    throw madeUnseen(error, { id, wait: nextCommand(input, 'pay wait', [id]) });
  }
}

/** The payment is made, whatever fails after it: nobody is to make another one instead. */
function madeUnseen(
  error: unknown,
  { id, wait }: { readonly id: string; readonly wait: string },
): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details, fields } = error;
  return new AppError(code, `The payment ${id} is made, but it cannot be shown: ${message}`, {
    ...(details ? { details } : {}),
    fields: { ...fields, paymentId: id },
    hint: `The client may pay it. See what becomes of it: ${wait}`,
    exitCode: exitCodes.outcomeUnknown,
    cause: error,
  });
}
