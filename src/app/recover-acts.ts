import { createFollower } from '../orders/follower.js';
import { createRecovered } from '../payments/intents/recovered.js';
import { followReferences } from '../payments/payment-follower.js';
import { openOrdersOnce } from './gateway-services.js';
import type { ReadStorage, StorageOptions } from './storage.js';

/**
 * Ends the acts of processes that have died, or marks them as in doubt, so that lists of acts are complete. If there
 * are no such acts, it opens and creates nothing; if the folder is read-only, the acts are listed as they are.
 */
export async function recoverActs(
  storage: ReadStorage,
  { log }: Pick<StorageOptions, 'log'>,
): Promise<void> {
  try {
    if (!(await (await storage.audit()).hasAbandoned())) return;
    const shared = await storage.forChanges();
    const orders = openOrdersOnce({ storage: shared });
    try {
      const { payments, intents, refunds } = await shared.payments();
      const { clock, rateLimiter } = shared;
      const follower = followReferences(createFollower({ store: orders.open, clock, rateLimiter }));
      const stores = { payments, intents, refunds };
      const audit = await shared.audit();
      await audit.recover(createRecovered({ stores, clock, follower }));
    } finally {
      await orders.close();
      await shared.close();
    }
  } catch (err) {
    log.warn({ err }, 'The acts of dead processes could not be recovered.');
  }
}
