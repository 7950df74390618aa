import { Change as isChange, Delivery as isDelivery } from '#validators/webhooks';
import { faultBy } from '../../base/records.js';
import type { RecordPlan } from '../../storage/json/record-file.js';
import type { Attempt, Delivery, DeliveryState } from '../delivery.js';
import { keptDay } from '../records.js';

type Change = Pick<Delivery, 'state' | 'nextAttemptAt' | 'endedAt'> & { readonly attempt: Attempt };

/** Deliveries lie in `pending/`, `dropped/<day>/` and `delivered/<day>/` of `<data>/webhooks`. */
export const deliveryPlan: RecordPlan<Delivery, DeliveryState> = {
  states: { pending: 'flat', dropped: 'by-day', delivered: 'by-day' },
  faultOf(record, id) {
    const fault = faultBy(isDelivery, record);
    const own = (record as Delivery).id; // The schema has been asked.
    return fault ?? (own === id ? undefined : `this is the delivery ${own}, not ${id}`);
  },
  placeOf: (delivery) => ({ state: delivery.state, day: keptDay(delivery) }),
  changes: {
    /** One attempt more is all that is added mostly. */
    between(before, { attempts, state, nextAttemptAt, endedAt }) {
      const attempt = attempts.at(-1);
      if (!attempt || attempts.length !== before.attempts.length + 1) return undefined;
      return { attempt, state, nextAttemptAt, endedAt } satisfies Change;
    },
    apply(delivery, change) {
      if (!isChange(change)) return undefined;
      const { attempt, ...changed } = change as Change; // The schema has just said so.
      return { ...delivery, ...changed, attempts: [...delivery.attempts, attempt] };
    },
  },
  // If a success is lost, the event is sent once more, which receivers must expect anyway, and half of all
  // fsyncs are saved. The folder still tells of it where its line alone is gone.
  mayBeLost: ({ state }) => state === 'delivered',
  believed: (delivery, state) =>
    state === 'delivered' || delivery.state === 'delivered'
      ? { ...delivery, state, nextAttemptAt: null }
      : undefined,
};
