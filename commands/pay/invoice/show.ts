import type { Command } from '../../command.js';
import { requireId } from '../flags.js';
import { describeOperation, readRow } from '../operation-rows.js';
import { askBank, payOptions, withCashier } from '../pay-context.js';

export const command: Command = {
  description: 'Show an invoice as the provider has it now.',
  arguments: [{ name: '<id>', description: 'the invoice’s id' }],
  options: payOptions,
  examples: [{ command: 'msgsite pay invoice show 1795230000', description: 'Is it paid?' }],
  async run(context, input) {
    const id = requireId(input);
    return withCashier(context, input, async (pay) => {
      const answer = await askBank(pay, 'Asking the bank', (cashier) => cashier.invoiceDetails(id));
      context.output.result(answer, () => describeOperation(readRow(answer)));
    });
  },
};
