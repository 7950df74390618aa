import { AppError } from '../../../src/base/errors.js';
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
      const answer = await askBank(pay, 'Cancelling', (cashier) => cashier.cancelInvoice(id));
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
  const { context, cashier, gateway } = pay;
  // A gateway elsewhere is a `serve`.
  if (gateway.origin !== undefined) return;
  const { organizationId } = await cashier.facts();
  const records = await pay.records();
  const invoice = { id, type: 'invoice', organizationId } as const;
  const payment = await records.find(invoice).catch(nothingIfUnknown);
  if (payment?.state !== 'open') return;
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  void context.clock.sleep(patience, signal).then(() => done.abort());
  const waited = await records.waitForOutcome(invoice, { signal });
  done.abort();
  if (waited.endedHere) await sendWebhooks(pay, waited.payment);
}

/** An invoice that was not made here is watched by nobody here. */
function nothingIfUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}
