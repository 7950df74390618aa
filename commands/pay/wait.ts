import { AppError } from '../../src/base/errors.js';
import type { Command } from '../command.js';
import { readTimeout, requireId, timeoutOption } from './flags.js';
import { followPayment } from './follow-payment.js';
import { type PayContext, payOptions, requireCashier, withPay } from './pay-context.js';
import { findSession } from './session-file.js';

export const command: Command = {
  description:
    'Go on waiting for a payment made with this data folder or database. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  arguments: [{ name: '<id>', description: 'the payment’s id' }],
  options: [timeoutOption, ...payOptions],
  examples: [
    { command: 'msgsite pay wait 1795230000', description: 'See how a payment ends' },
    {
      command: 'msgsite pay wait 1795230000 --timeout 60 --json',
      description: 'Wait a minute at most, for a script',
    },
  ],
  run: (context, input) =>
    withPay(context, input, async (pay) => {
      const id = requireId(input);
      const timeout = readTimeout(input);
      const payment = await pay.payments.findPayment(id);
      if (!payment) {
        throw new AppError('not_found', `No payment ${id} is stored here.`, {
          hint: 'msgsite pay payments lists those that were made here.',
        });
      }
      const cancel = payment.type === 'invoice' ? await canceller(pay, id) : undefined;
      return followPayment(pay, payment, { timeout, cancel });
    }),
};

/** Cancelling needs a cashier; waiting does not. */
async function canceller(
  pay: PayContext,
  id: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const { context, input, payments } = pay;
  if (!(await findSession(context, input))) return undefined;
  return async () => payments.gateway.cancelInvoice((await requireCashier(pay)).cashier, id);
}
