import { createRecordCounter } from '../../storage/json/records/record-counter.js';
import type { DeliveryCounts } from '../counts.js';
import { deliveryPlan } from './plan.js';

/** Gives what counts the deliveries in a folder, by the names of their files. */
export function createJsonDeliveryCounter(folder: string): () => Promise<DeliveryCounts> {
  const deliveries = createRecordCounter(folder, deliveryPlan);
  const countPending = deliveries.withEarliest('pending', ({ occurredAt }) =>
    Date.parse(occurredAt),
  );
  return async function countDeliveries() {
    const { count: pending, earliest: oldestPending } = await countPending();
    const [delivered, dropped] = [
      await deliveries.count('delivered'),
      await deliveries.count('dropped'),
    ];
    return {
      states: { pending, delivered, dropped },
      ...(oldestPending === undefined ? {} : { oldestPending }),
    };
  };
}
