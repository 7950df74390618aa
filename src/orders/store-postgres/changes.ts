import type { Notifications } from '../../storage/postgres/notifications.js';

/** Topics of notifications, whose details are the id of an order and of a product. */
const [orderTopic, stockTopic] = ['order', 'stock'];

/**
 * Changes of orders and of the stock by all processes: own ones at once, those of others by notifications. Where one of
 * these may have been missed, any order may have changed, and any count.
 */
export function createOrderChanges(notifications: Pick<Notifications, 'on' | 'onMissed' | 'send'>) {
  const orderListeners: ((id?: string) => void)[] = [];
  const stockListeners: (() => void)[] = [];
  let stops: readonly (() => void)[] = [];

  function emitOrder(id?: string): void {
    for (const listener of orderListeners) listener(id);
  }

  function emitStock(): void {
    for (const listener of stockListeners) listener();
  }

  /** With the first listener: a command that follows nothing needs no connection for it. */
  function listen(): void {
    if (stops.length > 0) return;
    stops = [
      notifications.on(orderTopic, emitOrder),
      notifications.on(stockTopic, emitStock),
      notifications.onMissed(() => {
        emitOrder();
        emitStock();
      }),
    ];
  }

  return {
    onOrder(listener: (id?: string) => void): void {
      orderListeners.push(listener);
      listen();
    },
    onStock(listener: () => void): void {
      stockListeners.push(listener);
      listen();
    },
    /** This process has changed an order, or may have. */
    reportOrder(id: string): void {
      emitOrder(id);
      notifications.send(orderTopic, id);
    },
    /** This process has changed the count of a product, or may have. */
    reportStock(productId: number): void {
      emitStock();
      notifications.send(stockTopic, String(productId));
    },
    close(): void {
      for (const stop of stops) stop();
    },
  };
}
