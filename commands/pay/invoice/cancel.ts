import type { Command } from '../../command.js';
import { requireId } from '../flags.js';
import { describeOperation, readRow } from '../operation-rows.js';
import { askBank, type CashierContext, payOptions, withCashier } from '../pay-context.js';
import { sendWebhooks } from '../send-webhooks.js';

export const command: Command = {
  description: 'Cancel an invoice that has not been paid yet.',
  arguments: [{ name: '<id>', description: 'the invoice’s id' }],
  options: payOptions,
  examples: [{ command: 'msgsite pay invoice cancel 1795230000', description: 'Take it back' }],
  async run(context, input) {
    const id = requireId(input);
    return withCashier(context, input, async (pay) => {
      const answer = await askBank(pay, 'Cancelling', (bank, cashier) =>
        bank.cancelInvoice(cashier, id),
      );
      const { green } = context.output.colors;
      context.output.result(
        answer,
        () => `${green('✓ Cancelled')}\n${describeOperation(readRow(answer))}`,
      );
      await awaitOutcome(pay, id);
    });
  },
};

/** Milliseconds, longer than a poll takes; a running `serve` learns of the end by itself. */
const patience = 10_000;

/** Where no `serve` runs, the end of the invoice is learnt here and its webhooks are sent. */
async function awaitOutcome(pay: CashierContext, id: string): Promise<void> {
  const { payments, context, cashier } = pay;
  const { organizationId } = cashier.session;
  const [payment] = await payments.findPayments({ id, type: 'invoice', organizationId });
  if (payment?.state !== 'open') return;
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  void context.clock.sleep(patience, signal).then(() => done.abort());
  const waited = await payments.waitForOutcome(payment, { signal });
  done.abort();
  if (waited.endedHere) await sendWebhooks(pay, waited.payment);
}
