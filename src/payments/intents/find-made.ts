import { cursorOf } from '../payment.js';
import type { PaymentStores } from '../store.js';
import type { Intent } from './intent.js';

/** Payments read at a time. */
const pageLength = 100;

/**
 * What an intent has made, where that is stored: its process may have died right after storing it. Nothing
 * is older than its intent, so only what was made since counts: a key may be used anew after a day, and what
 * it made then has the same intent's name.
 */
export async function findMade(
  { payments, refunds }: Pick<PaymentStores, 'payments' | 'refunds'>,
  { id, kind, organizationId, createdAt }: Intent,
): Promise<string | undefined> {
  if (kind === 'refund') {
    const refund = await refunds.find(id);
    const isMade = refund?.outcome === 'success' && refund.createdAt >= createdAt;
    if (!isMade) return undefined;
    // Its process may have died while it stored this: it is found by its name then, and in no list.
    await refunds.put(refund);
    return refund.id;
  }
  let after: string | undefined;
  for (;;) {
    const page = await payments.page({ organizationId, after, limit: pageLength });
    const made = page.payments.find(
      (payment) => payment.intentId === id && payment.createdAt >= createdAt,
    );
    if (made) return made.id;
    const last = page.payments.at(-1);
    if (!last || !page.hasMore || last.createdAt < createdAt) return undefined;
    after = cursorOf(last);
  }
}
