import { cursorOf } from '../payment.js';
import type { PaymentStores } from '../store.js';
import type { Intent } from './intent.js';

/** Payments read at a time. */
const pageLength = 100;

/**
 * What an intent has made, where that is stored: its process may have died right after storing it. A
 * payment is never older than its intent, so only those made since are read.
 */
export async function findMade(
  { payments, refunds }: Pick<PaymentStores, 'payments' | 'refunds'>,
  { id, kind, organizationId, createdAt }: Intent,
): Promise<string | undefined> {
  if (kind === 'refund') {
    const refund = await refunds.find(id);
    return refund?.outcome === 'success' ? refund.id : undefined;
  }
  let after: string | undefined;
  for (;;) {
    const page = await payments.page({ organizationId, after, limit: pageLength });
    const made = page.payments.find(({ intentId }) => intentId === id);
    if (made) return made.id;
    const last = page.payments.at(-1);
    if (!last || !page.hasMore || last.createdAt < createdAt) return undefined;
    after = cursorOf(last);
  }
}
