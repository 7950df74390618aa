import type { PaymentRow } from '#validators/gateway';
import { toTiyns } from '../../src/payments/amount.js';
import type { Command } from '../command.js';
import { readChoice } from '../flags.js';
import {
  paymentTypes,
  plainOption,
  readTimeout,
  requireId,
  timeoutOption,
  typeOption,
} from './flags.js';
import { followPayment } from './follow-payment.js';
import { type PayContext, payOptions, requireCashier, withPay } from './pay-context.js';
import { lastOutcomeOf, storedRefunds } from './payment-view.js';

export const command: Command = {
  description:
    'Resume waiting for a payment in the data folder or database. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  arguments: [{ name: '<id>', description: 'the payment’s ID' }],
  options: [typeOption, timeoutOption, plainOption, ...payOptions],
  examples: [
    { command: 'msgsite pay wait 1795230000', description: 'Wait for the outcome' },
    {
      command: 'msgsite pay wait 1795230000 --timeout 60 --json',
      description: 'Wait up to a minute in a script',
    },
  ],
  run: (context, input) =>
    withPay(context, input, async (pay) => {
      const id = requireId(input);
      const timeout = readTimeout(input);
      const type = readChoice(input, 'type', paymentTypes);
      const organizationId = (await pay.session())?.organizationId;
      const payment = await (await pay.records()).find({ id, type, organizationId });
      const { paymentId } = payment;
      const cancel = payment.type === 'invoice' ? await canceller(pay, paymentId) : undefined;
      const returned = await returnedOf(pay, payment);
      return followPayment(pay, payment, { timeout, cancel, returned });
    }),
};

/** Returns the amount of a payment that this gateway has refunded, in tenge; undefined if nothing was refunded. */
async function returnedOf(pay: PayContext, payment: PaymentRow): Promise<number | undefined> {
  if (lastOutcomeOf(payment) !== 'success') return undefined;
  const rows = await storedRefunds(await pay.records(), payment);
  const successful = rows.filter(({ outcome }) => outcome === 'success');
  const tiyns = successful.reduce((sum, { amount }) => sum + toTiyns(amount), 0);
  return tiyns === 0 ? undefined : tiyns / 100;
}

/** Returns a function that cancels the invoice, or undefined if nobody is signed in. */
async function canceller(
  pay: PayContext,
  id: string,
): Promise<(() => Promise<unknown>) | undefined> {
  if (!(await pay.session())) return undefined;
  return async () => (await requireCashier(pay)).cashier.cancelInvoice(id);
}
