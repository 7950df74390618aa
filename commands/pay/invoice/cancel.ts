import type { Command } from '../../command.js';
import { requireId } from '../flags.js';
import { describeOperation, readRow } from '../operation-rows.js';
import { sendWebhooks } from '../send-webhooks.js';
import { asking, requireCashier, type Till, tillOptions, withTill } from '../till.js';

export const command: Command = {
  description: 'Cancel an invoice that has not been paid yet.',
  arguments: [{ name: '<id>', description: 'the invoice’s id' }],
  options: tillOptions,
  examples: [{ command: 'msgsite pay invoice cancel 1795230000', description: 'Take it back' }],
  async run(context, input) {
    const id = requireId(input);
    return withTill(context, input, async (till) => {
      const { cashier } = await requireCashier(till);
      const { gateway } = till.payments;
      const answer = await asking(till, 'Cancelling', () => gateway.cancelInvoice(cashier, id));
      context.output.result(
        answer,
        () =>
          `${context.output.colors.green('✓ Cancelled')}\n${describeOperation(readRow(answer))}`,
      );
      await learnOutcome(till, id);
      return 0;
    });
  },
};

/** Longer than a look takes; a running `serve` learns of it by itself. */
const patience = 10_000;

/** Where no `serve` runs, the end of the invoice is learnt here and its webhooks are sent. */
async function learnOutcome(till: Till, id: string): Promise<void> {
  const { payments, context } = till;
  const payment = await payments.findPayment(id, 'invoice');
  if (payment?.state !== 'open') return;
  const done = new AbortController();
  const late = context.clock.sleep(patience, AbortSignal.any([context.signal, done.signal]));
  const signal = AbortSignal.any([context.signal, done.signal]);
  void late.then(() => done.abort());
  const waited = await payments.waitForOutcome(id, { type: 'invoice', signal });
  done.abort();
  if (waited.endedHere) await sendWebhooks(till, waited.payment);
}
