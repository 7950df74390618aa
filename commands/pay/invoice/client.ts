import { normalisePhone } from '../../../src/payments/phone.js';
import { formatPhone } from '../../../src/terminal/formats.js';
import type { Command } from '../../command.js';
import { readClientName } from '../operation-rows.js';
import { askBank, payOptions, withCashier } from '../pay-context.js';

export const command: Command = {
  description: 'Look up whose phone number it is before billing it.',
  arguments: [{ name: '<phone>', description: 'the client’s phone, such as 87011234567' }],
  options: payOptions,
  examples: [
    { command: 'msgsite pay invoice client "+7 701 123-45-67"', description: 'Whose is it?' },
  ],
  async run(context, input) {
    const phone = normalisePhone(String(input.arguments[0]));
    return withCashier(context, input, async (pay) => {
      const answer = await askBank(pay, 'Looking up the client', (cashier) =>
        cashier.findClient(phone),
      );
      context.output.result(answer, () =>
        [readClientName(answer) ?? 'A client without a name', formatPhone(phone)].join('\n'),
      );
    });
  },
};
