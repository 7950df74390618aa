import { AppError } from '../../../src/base/errors.js';
import { normalisePhone } from '../../../src/payments/phone.js';
import { formatPhone } from '../../../src/terminal/phone.js';
import type { Command } from '../../command.js';
import { readClientName } from '../operation-rows.js';
import { asking, requireCashier, tillOptions, withTill } from '../till.js';

export const command: Command = {
  description: 'Look up whose phone number it is before billing it.',
  arguments: [{ name: '<phone>', description: 'the client’s phone, such as 87011234567' }],
  options: tillOptions,
  examples: [
    { command: 'msgsite pay invoice client "+7 701 123-45-67"', description: 'Whose is it?' },
  ],
  async run(context, input) {
    const [given] = input.arguments;
    if (typeof given !== 'string') throw new AppError('usage', 'The phone number is missing.');
    const phone = normalisePhone(given);
    return withTill(context, input, async (till) => {
      const { cashier } = await requireCashier(till);
      const { gateway } = till.payments;
      const answer = await asking(till, 'Looking up the client', () =>
        gateway.findClient(cashier, phone),
      );
      context.output.result(answer, () =>
        [readClientName(answer) ?? 'A client without a name', formatPhone(phone)].join('\n'),
      );
      return 0;
    });
  },
};
