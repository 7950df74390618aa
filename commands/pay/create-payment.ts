import { AppError } from '../../src/base/errors.js';
import type { Gateway } from '../../src/payments/gateway.js';
import type { Payment, PaymentType } from '../../src/payments/payment.js';
import { paymentView } from '../../src/payments/payment-view.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { readCreated } from '../../src/payments/providers/provider-answer.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import type { OptionDefinition } from '../command.js';
import { explainDoubt } from './doubt.js';
import { readTimeout, timeoutOption } from './flags.js';
import { followPayment } from './follow-payment.js';
import { askBank, type CashierContext } from './pay-context.js';
import { cardOf } from './payment-view.js';
import { prepareScreen, printCreated } from './presenter.js';

/** Flags of the commands that make a payment. */
export const creationOptions: readonly OptionDefinition[] = [
  { flags: '--amount <tenge>', description: 'amount, such as 1500 or 1500,50' },
  { flags: '--no-wait', description: 'do not wait for the outcome' },
  timeoutOption,
];

interface Creation {
  readonly type: PaymentType;
  readonly create: (bank: Gateway, cashier: Cashier) => Promise<ProviderAnswer>;
  readonly clientName?: string | undefined;
}

/** Makes a payment and, unless `--no-wait`, waits for what becomes of it; gives the exit code. */
export async function createPayment(pay: CashierContext, creation: Creation): Promise<number> {
  const { context, input, payments, cashier } = pay;
  const { type, create, clientName } = creation;
  const extras = { clientName, orgName: pay.session.orgName };
  const timeout = readTimeout(input);
  if (input.options.wait !== false) prepareScreen(context);
  const answer = await askBank(pay, 'Asking the bank for the payment', create).catch(
    (error: unknown) => {
      throw explainDoubt(error, doubts[type]);
    },
  );
  const payment = await storedPayment(pay, type, answer);
  if (input.options.wait === false) {
    if (!context.output.json) printCreated(pay, cardOf(payment, extras));
    else context.output.result(paymentView(payment), () => '');
    return 0;
  }
  // A QR payment ends by itself.
  const cancel =
    type === 'invoice' ? () => payments.gateway.cancelInvoice(cashier, payment.id) : undefined;
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
  { payments, cashier }: CashierContext,
  type: PaymentType,
  answer: ProviderAnswer,
): Promise<Payment> {
  const { id } = readCreated(type, answer);
  const { organizationId } = cashier.session;
  const [payment] = await payments.findPayments({ id, type, organizationId });
  if (payment) return payment;
  throw new AppError('internal_error', `The payment ${id} was made but is not stored.`);
}
