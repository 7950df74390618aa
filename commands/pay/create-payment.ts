import { AppError } from '../../src/base/errors.js';
import type { Gateway } from '../../src/payments/gateway.js';
import type { Payment, PaymentType } from '../../src/payments/payment.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { readCreated } from '../../src/payments/providers/provider-answer.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import type { OptionDefinition } from '../command.js';
import { readTimeout, timeoutOption } from './flags.js';
import { followPayment } from './follow-payment.js';
import { askBank, type CashierContext } from './pay-context.js';
import { cardOf, paymentJson } from './payment-view.js';
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
  const answer = await askBank(pay, 'Asking the bank for the payment', create);
  const payment = await storedPayment(pay, type, answer);
  if (input.options.wait === false) {
    if (!context.output.json) printCreated(pay, cardOf(payment, extras));
    else context.output.result(paymentJson(payment), () => '');
    return 0;
  }
  // A QR payment ends by itself.
  const cancel =
    type === 'invoice' ? () => payments.gateway.cancelInvoice(cashier, payment.id) : undefined;
  return followPayment(pay, payment, { ...extras, timeout, cancel });
}

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
