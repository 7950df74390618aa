import type { Command } from '../command.js';
import { createPayment, creationOptions } from './create-payment.js';
import { readTimeout, requireAmount } from './flags.js';
import { requireCashier, tillOptions, withTill } from './till.js';

export const command: Command = {
  description:
    'Show a QR code for an amount and wait until the client has paid. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  options: [...creationOptions, ...tillOptions],
  examples: [
    { command: 'msgsite pay qr --amount 1500', description: 'Ask for 1 500 ₸ and wait' },
    {
      command: 'msgsite pay qr --amount 1500,50 --no-wait --json',
      description: 'Make the QR payment for another program to show',
    },
  ],
  async run(context, input) {
    readTimeout(input);
    const amount = await requireAmount(context, input);
    return withTill(context, input, async (till) => {
      const { cashier, session } = await requireCashier(till);
      return createPayment(till, {
        type: 'qr',
        orgName: session.orgName,
        create: () => till.payments.gateway.createQr(cashier, { amount }),
      });
    });
  },
};
