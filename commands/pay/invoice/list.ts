import type { Command } from '../../command.js';
import { tableText } from '../../print-table.js';
import { operationColumns, readRows, toRow } from '../operation-rows.js';
import { asking, requireCashier, tillOptions, withTill } from '../till.js';

export const command: Command = {
  description: 'List the organization’s latest 20 invoices as the provider has them.',
  options: tillOptions,
  examples: [{ command: 'msgsite pay invoice list', description: 'What was billed lately?' }],
  run: (context, input) =>
    withTill(context, input, async (till) => {
      const { cashier } = await requireCashier(till);
      const { gateway } = till.payments;
      const answer = await asking(till, 'Asking the bank', () => gateway.invoiceHistory(cashier));
      context.output.result(answer, () => {
        const rows = readRows(answer).map(toRow);
        if (rows.length === 0) return 'No invoices.';
        return tableText(context, rows, operationColumns);
      });
      return 0;
    }),
};
