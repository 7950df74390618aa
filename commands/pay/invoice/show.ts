import type { Command } from '../../command.js';
import { requireId } from '../flags.js';
import { describeOperation, readRow } from '../operation-rows.js';
import { asking, requireCashier, tillOptions, withTill } from '../till.js';

export const command: Command = {
  description: 'Show an invoice as the provider has it now.',
  arguments: [{ name: '<id>', description: 'the invoice’s id' }],
  options: tillOptions,
  examples: [{ command: 'msgsite pay invoice show 1795230000', description: 'Is it paid?' }],
  async run(context, input) {
    const id = requireId(input);
    return withTill(context, input, async (till) => {
      const { cashier } = await requireCashier(till);
      const { gateway } = till.payments;
      const answer = await asking(till, 'Asking the bank', () =>
        gateway.invoiceDetails(cashier, id),
      );
      context.output.result(answer, () => describeOperation(readRow(answer)));
      return 0;
    });
  },
};
