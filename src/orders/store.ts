import type { Left, Order, Stock } from './order.js';

/**
 * Everything that orders need of a storage, shared by every process that uses it. A method that resolves has
 * made its change durable.
 */
export interface OrderStore {
  /**
   * Stores a new order and returns it. If its key (`keyHash`) still identifies another order (`isKeyAlive`), stores
   * nothing and returns that order.
   */
  add(order: Order): Promise<Order>;
  find(id: string): Promise<Order | undefined>;
  /** Returns the order that a key still identifies. */
  findByKey(keyHash: string): Promise<Order | undefined>;
  /**
   * Changes an order while nobody else does. `change` is given it as it is stored and gives it as it shall be, or
   * undefined to leave it; it may be called more than once. Gives the order as it is stored afterwards; undefined
   * where there is none.
   *
   * An order that becomes `paid` by this takes its pieces (`takePieces` in stock.ts) from the stock of its product,
   * exactly once, also where the process dies on the way and the change is made again: its `oversold` is what that
   * says, whatever `change` gave.
   */
  change(id: string, change: (order: Order) => Order | undefined): Promise<Order | undefined>;
  /** Removes an order of which nothing was made, and frees its key; harmless where there is none. */
  remove(id: string): Promise<void>;
  /** A page of all orders, in the order of `compareNewestFirst`. `after`: the order behind which it begins. */
  page(query: OrderPageQuery): Promise<OrderPage>;
  /**
   * Removes orders that ended on a UTC day before `day` (`YYYY-MM-DD`), and returns how many. Orders that have not
   * ended, or that a key still identifies, stay.
   */
  removeEndedBefore(day: string): Promise<number>;
  /** Removes keys that have expired by `now` (milliseconds) and by running time. Some may stay for a day. */
  removeExpiredKeys(now: number): Promise<void>;
  /** The products whose pieces are counted. */
  stock(): Promise<readonly (Stock & { readonly left: number })[]>;
  /** How many pieces of a product are left; null where they are not counted. */
  leftOf(productId: number): Promise<Left>;
  /**
   * Changes a product's count while nobody else does: `change` is given the count as it is and gives the new one,
   * or throws, which leaves it. It may be called more than once. Gives the count as it is stored then.
   */
  changeLeft(productId: number, change: (left: Left) => Left): Promise<Left>;
  /**
   * Calls `listener` when an order may have changed: by this store before its promise resolves, or elsewhere where the
   * storage tells of that. Without an id, any may have.
   */
  onOrder(listener: (id?: string) => void): void;
  /** The same for the stock of any product. */
  onStock(listener: () => void): void;
  /** Gives back what is claimed here. */
  close(): Promise<void>;
}

export interface OrderPageQuery {
  readonly after?: Pick<Order, 'id' | 'createdAt'> | undefined;
  readonly limit: number;
}

export interface OrderPage {
  readonly orders: readonly Order[];
  readonly hasMore: boolean;
}
