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

/** Deliveries are stored in `pending/`, `dropped/<day>/` and `delivered/<day>/` in `<data>/webhooks`. */
export const deliveryPlan: RecordPlan<Delivery, DeliveryState> = {
  states: { pending: 'flat', dropped: 'by-day', delivered: 'by-day' },
  faultOf: (record, id) =>
    checkBy(isDelivery, ({ id: own }) =>
      own === id ? undefined : `this is the delivery ${own}, not ${id}`,
    )(record),
  placeOf: (delivery) => ({ state: delivery.state, day: keptDay(delivery) }),
  changes: {
    /** Returns the change if it only adds one attempt, as most changes do. */
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
  // If a success is lost, the event is sent again, which receivers must expect in any case. This saves half of all
  // fsyncs. If only the line is lost, the folder still indicates the success.
  mayBeLost: ({ state }) => state === 'delivered',
  believed: (delivery, state) =>
    state === 'delivered' || delivery.state === 'delivered'
      ? { ...delivery, state, nextAttemptAt: null }
      : undefined,
};

/** Events without a subscription are stored in `events/stored/<day>/` in `<data>/webhooks` and never change. */
export const eventPlan: RecordPlan<StoredEvent, 'stored'> = {
  states: { stored: 'by-day' },
  faultOf: (record, id) =>
    checkBy(isStoredEvent, ({ id: own }) =>
      own === id ? undefined : `this is the event ${own}, not ${id}`,
    )(record),
  placeOf: (event) => ({ state: 'stored', day: eventDay(event) }),
};

/** Receiver states are stored in `receivers/kept/` in `<data>/webhooks`. */
export const receiverPlan: RecordPlan<ReceiverState, 'kept'> = {
  states: { kept: 'flat' },
  faultOf: (record, id) =>
    checkBy(isReceiverState, ({ id: own }) =>
      own === id ? undefined : `this is the receiver of ${own}, not of ${id}`,
    )(record),
  placeOf: () => ({ state: 'kept' }),
};
