import type { Command } from '../command.js';
import { createPayment, creationOptions } from './create-payment.js';
import { readTimeout, wantAmount } from './flags.js';
import { payOptions, withCashier } from './pay-context.js';

export const command: Command = {
  description:
    'Show a QR code for an amount and wait until the client has paid. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  arguments: [{ name: '[amount]', description: 'amount, such as 1500 or 1500,50' }],
  options: [...creationOptions, ...payOptions],
  examples: [
    { command: 'msgsite pay qr 1500', description: 'Ask for 1 500 ₸ and wait' },
    {
      command: 'msgsite pay qr --amount 1500,50 --no-wait --json',
      description: 'Make the QR payment for another program to show',
    },
  ],
  async run(context, input) {
    readTimeout(input);
    const wanted = wantAmount(context, input);
    return withCashier(context, input, async (pay) => {
      const amount = await wanted();
      return createPayment(pay, {
        type: 'qr',
        create: (cashier, repeat) => cashier.createQr({ amount }, repeat),
      });
    });
  },
};
