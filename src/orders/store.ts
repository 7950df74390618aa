import type { Left, Order, Stock } from './order.js';

/** The storage of orders, which all processes share. When a method resolves, its change is durable. */
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
   * Changes an order while nobody else does, and returns it as it is then stored; undefined if there is no such ID.
   * `change` returns the new order, or undefined to change nothing; it may be called more than once.
   *
   * An order that becomes `paid` takes the pieces of all its items (`takePieces` in stock.ts) from the stock. This
   * happens exactly once, even if the process dies meanwhile and the change is repeated. The items' `oversold` is the
   * result of that, whatever `change` returned.
   */
  change(id: string, change: (order: Order) => Order | undefined): Promise<Order | undefined>;
  /** Removes an order without a payment, and frees its key. Does nothing for an unknown ID. */
  remove(id: string): Promise<void>;
  /** Returns a page of all orders, sorted by `compareNewestFirst`, starting after the order `after`. */
  page(query: OrderPageQuery): Promise<OrderPage>;
  /**
   * Removes orders that ended on a UTC day before `day` (`YYYY-MM-DD`), and returns how many. Orders that have not
   * ended, or that a key still identifies, stay.
   */
  removeEndedBefore(day: string): Promise<number>;
  /** Removes keys that have expired by `now` (milliseconds) and by running time. Some may stay for a day. */
  removeExpiredKeys(now: number): Promise<void>;
  /** Returns the counts of the counted products. */
  stock(): Promise<readonly (Stock & { readonly left: number })[]>;
  /** Returns the pieces of a product that are left; null if they are not counted. */
  leftOf(productId: number): Promise<Left>;
  /**
   * Changes a product's count while nobody else does, and returns the new one. `change` may be called more than once;
   * if it throws, nothing changes.
   */
  changeLeft(productId: number, change: (left: Left) => Left): Promise<Left>;
  /**
   * Calls `listener` when an order may have changed: by this store, before its promise resolves, or elsewhere if the
   * storage reports that. Without an ID, every order may have changed.
   */
  onOrder(listener: (id?: string) => void): void;
  /** Calls `listener` when the stock of any product may have changed. */
  onStock(listener: () => void): void;
  /** Releases what this store has claimed. */
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
