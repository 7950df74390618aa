import { Order as isOrder, Stock as isStock } from '#validators/order-records';
import { checkBy, faultBy } from '../../base/records.js';
import type { Moment } from '../../base/running-time.js';
import type { RecordPlan } from '../../storage/json/records/record-file.js';
import { dayText, hasDetails, type Left, type Order } from '../order.js';
import { faultOfOrder, type OrderState, placeOfOrder } from '../records.js';

/** Orders are in `open/` and `ended/<day of creation>/` of `<data>/orders`. */
export const orderPlan: RecordPlan<Order, OrderState> = {
  states: { open: 'flat', ended: 'by-day-and-id' },
  faultOf: (record, id) =>
    checkBy(isOrder, faultOfOrder, (order) =>
      order.id === id ? undefined : `this is ${order.id}, not ${id}`,
    )(record),
  placeOf: placeOfOrder,
  erases: (before, after) => hasDetails(before) && !hasDetails(after),
};

/** The order that a key identifies. */
export interface KeptKey extends Moment {
  readonly orderId: string;
  /** The order to store, because a process may die after it takes the key. */
  readonly order?: Order;
}

/** Keys are in `keys/kept/<day>/`, by their digests. */
export const keyPlan: RecordPlan<KeptKey, 'kept'> = {
  states: { kept: 'by-day' },
  faultOf(record) {
    const { orderId, at, ranAt = 0, order } = record as Partial<KeptKey>;
    const isSound = typeof orderId === 'string' && Number.isSafeInteger(at);
    if (!isSound) return 'orderId or at is missing';
    if (!Number.isSafeInteger(ranAt)) return 'ranAt is not a whole number';
    return order === undefined ? undefined : faultBy(isOrder, order);
  },
  placeOf: ({ at }) => ({ state: 'kept', day: dayText(at) }),
};

/** Pieces taken for an order that is being marked paid. */
export interface TakenFor {
  readonly orderId: string;
  readonly pieces: number;
  readonly oversold: boolean;
}

/** A product's count in its file. */
export interface StockFile {
  readonly productId: number;
  readonly left: Left;
  /** A process may die after it takes the pieces and before it marks the order; the next one continues from here. */
  readonly taken: readonly TakenFor[];
}

/** Counts are in `stock/kept/`, by product ID. */
export const stockPlan: RecordPlan<StockFile, 'kept'> = {
  states: { kept: 'flat' },
  faultOf(record, id) {
    const { productId, left, taken } = record as Partial<StockFile>;
    if (!Array.isArray(taken) || !taken.every(isTaken)) return 'taken is invalid';
    if (String(productId) !== id) return `this is the stock of ${productId}, not of ${id}`;
    return faultBy(isStock, { productId, left });
  },
  placeOf: () => ({ state: 'kept' }),
};

function isTaken(value: unknown): value is TakenFor {
  const { orderId, pieces, oversold } = (value ?? {}) as Partial<TakenFor>;
  return (
    typeof orderId === 'string' && Number.isSafeInteger(pieces) && typeof oversold === 'boolean'
  );
}
