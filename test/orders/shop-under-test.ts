import { type ApiAnswer, createApiClient } from '../helpers/api-client.js';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../helpers/test-server.js';
import { createGatewayClient, type Headers } from '../payments/gateway-client.js';

/** Payments are paid after 40 ms; an amount ending in 06 stays open for 1.8 s. */
const fast = {
  MSGSITE_SANDBOX_SPEED: '100',
  MSGSITE_POLL_INTERVAL: '0.02',
  MSGSITE_TRUSTED_PROXIES: '127.0.0.1',
};

let addresses = 0;

/** Returns headers with an unused client address. */
export function newAddress(): Headers {
  addresses += 1;
  return { 'X-Forwarded-For': `198.51.${addresses >> 8}.${addresses & 255}` };
}

/** Opens a shop with both services, for a visitor, the owner and a cashier. */
export async function openShop(options: TestServerOptions = {}) {
  const server: TestServer = await startTestServer({
    ...options,
    env: { ...fast, ...options.env },
  });
  const call = await createApiClient(server.site || server.gateway);
  const till = server.gateway === '' ? undefined : await createGatewayClient(server.gateway);

  return {
    server,
    call,
    till,
    signIn: async (phone?: string) => (await till?.signIn(phone))?.headers ?? {},
    async product(price: number, more: object = {}): Promise<number> {
      const body = { name: `A product of ${price}`, price, ...more };
      return (await call('POST', '/api/admin/products', { body })).body.data.id;
    },
    order: (productId: number, more: object = {}, headers: Headers = {}): Promise<ApiAnswer> =>
      call('POST', '/api/orders', {
        body: { productId, ...more },
        headers: { ...newAddress(), ...headers },
      }),
    find: (id: string, query = '', headers: Headers = {}): Promise<ApiAnswer> =>
      call('GET', `/api/orders/${id}${query}`, { headers }),
    /** Returns the order once it has ended. */
    async ended(id: string) {
      for (;;) {
        const { order } = (await call('GET', `/api/orders/${id}?wait=30`)).body;
        if (order.status !== 'pending' && order.status !== 'unknown') return order;
      }
    },
    async adminOrder(id: string) {
      const { orders } = (await call('GET', '/api/admin/orders?limit=100')).body;
      return orders.find((order: { id: string }) => order.id === id);
    },
    setLeft: (productId: number, left: number | null, headers: Headers = {}) =>
      call('PUT', `/api/admin/stock/${productId}`, { body: { left }, headers }),
    async leftOf(productId: number): Promise<number | null> {
      return (await call('GET', `/api/admin/stock/${productId}`)).body.data.left;
    },
    close: server.close,
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
