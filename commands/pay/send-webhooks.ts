import type { Payment } from '../../src/payments/payment.js';
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
export async function sendWebhooks(pay: PayContext, payment: Payment): Promise<SentWebhooks> {
  const { context, webhooks } = pay;
  const { organizationId, type, id: paymentId } = payment;
  const reports = await withSpinner(context.stderr, 'Sending webhooks', () =>
    webhooks.sendFirstAttempts({ organizationId, type, paymentId }, context.signal),
  );
  const failed = reports.filter(({ attempt }) => attempt.error !== null);
  for (const { delivery, attempt } of failed) {
    context.output.warn(`Webhook to ${delivery.subscription.url}: ${attempt.error}.`);
  }
  if (failed.length > 0) context.output.note('The next msgsite serve tries again.');
  return { delivered: reports.length - failed.length, failed: failed.length };
}
