import type { ReceiverState } from '#validators/webhooks';
import {
  type Change,
  Change as isChange,
  Delivery as isDelivery,
  ReceiverState as isReceiverState,
  StoredEvent as isStoredEvent,
} from '#validators/webhooks';
import { checkBy } from '../../base/records.js';
import type { RecordPlan } from '../../storage/json/records/record-file.js';
import type { Delivery, DeliveryState } from '../delivery.js';
import type { StoredEvent } from '../event.js';
import { eventDay, keptDay } from '../records.js';

/** Deliveries lie in `pending/`, `dropped/<day>/` and `delivered/<day>/` of `<data>/webhooks`. */
export const deliveryPlan: RecordPlan<Delivery, DeliveryState> = {
  states: { pending: 'flat', dropped: 'by-day', delivered: 'by-day' },
  faultOf: (record, id) =>
    checkBy(isDelivery, ({ id: own }) =>
      own === id ? undefined : `this is the delivery ${own}, not ${id}`,
    )(record),
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
      const { attempt, ...changed } = change;
      return { ...delivery, ...changed, attempts: [...delivery.attempts, attempt] };
    },
  },
  // If a success is lost, the event is sent once more, which receivers must expect anyway, and half of all
  // fsyncs are saved. The folder still shows it where its line alone is gone.
  mayBeLost: ({ state }) => state === 'delivered',
  believed: (delivery, state) =>
    state === 'delivered' || delivery.state === 'delivered'
      ? { ...delivery, state, nextAttemptAt: null }
      : undefined,
};

/** Events that nobody wanted lie in `events/stored/<day>/` of `<data>/webhooks`; they never change. */
export const eventPlan: RecordPlan<StoredEvent, 'stored'> = {
  states: { stored: 'by-day' },
  faultOf: (record, id) =>
    checkBy(isStoredEvent, ({ id: own }) =>
      own === id ? undefined : `this is the event ${own}, not ${id}`,
    )(record),
  placeOf: (event) => ({ state: 'stored', day: eventDay(event) }),
};

/** How receivers take their deliveries, in `receivers/kept/` of `<data>/webhooks`. */
export const receiverPlan: RecordPlan<ReceiverState, 'kept'> = {
  states: { kept: 'flat' },
  faultOf: (record, id) =>
    checkBy(isReceiverState, ({ id: own }) =>
      own === id ? undefined : `this is the receiver of ${own}, not of ${id}`,
    )(record),
  placeOf: () => ({ state: 'kept' }),
};
