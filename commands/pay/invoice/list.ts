import type { Command } from '../../command.js';
import { listText } from '../../list-window.js';
import { operationColumns, readRows } from '../operation-rows.js';
import { askBank, payOptions, withCashier } from '../pay-context.js';

export const command: Command = {
  description: 'List the organization’s latest 20 invoices as the provider has them.',
  options: payOptions,
  examples: [{ command: 'msgsite pay invoice list', description: 'What was billed lately?' }],
  run: (context, input) =>
    withCashier(context, input, async (pay) => {
      const answer = await askBank(pay, 'Asking the bank', (cashier) => cashier.invoiceHistory());
      context.output.result(answer, () => {
        const rows = readRows(answer);
        if (rows.length === 0) return 'No invoices.';
        return listText(context, rows, { columns: operationColumns, newest: 'first' });
      });
    }),
};
