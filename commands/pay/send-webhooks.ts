import type { PaymentRow } from '../../src/payments/client/gateway-client.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { PayContext } from './pay-context.js';

/** What became of the first attempts at a payment's webhooks. */
export interface SentWebhooks {
  readonly delivered: number;
  readonly failed: number;
}

/**
 * Makes the first attempt at the webhooks of a payment that ended under this command's eyes. Those
 * that fail are left to the next `serve`; the person at the terminal is told.
 */
export async function sendWebhooks(pay: PayContext, payment: PaymentRow): Promise<SentWebhooks> {
  const { context, gateway } = pay;
  const reports = await withSpinner(context, 'Sending webhooks', () =>
    gateway.sendWebhooks(payment, context.signal),
  );
  const failed = reports.filter(({ error }) => error !== null);
  for (const { url, error } of failed) {
    context.output.warn(`Webhook to ${url}: ${error}.`);
  }
  if (failed.length > 0) context.output.note('The next msgsite serve tries again.');
  return { delivered: reports.length - failed.length, failed: failed.length };
}
