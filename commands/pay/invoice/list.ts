import type { Command } from '../../command.js';
import { listText } from '../../list.js';
import { operationColumns, readRows } from '../operation-rows.js';
import { askBank, payOptions, withCashier } from '../pay-context.js';

export const command: Command = {
  description: 'List the organization’s latest 20 invoices as the provider has them.',
  options: payOptions,
  examples: [{ command: 'msgsite pay invoice list', description: 'What was billed lately?' }],
  run: (context, input) =>
    withCashier(context, input, async (pay) => {
      const answer = await askBank(pay, 'Asking the bank', (cashier) => cashier.invoiceHistory());
      context.output.result(answer, () =>
        listText(context, {
          rows: readRows(answer),
          columns: operationColumns,
          empty: 'No invoices.',
          newest: 'first',
        }),
      );
    }),
};
