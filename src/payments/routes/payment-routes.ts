import * as validators from '#validators/gateway';
import type { RouteGroup } from '../../http/route/route.js';
import type { PaymentRouteOptions } from './define-route.js';
import { historyRoutes } from './history-routes.js';
import { invoiceRoutes } from './invoice-routes.js';
import { paymentListRoutes } from './payment-list-routes.js';
import { qrRoutes } from './qr-routes.js';
import { sessionRoutes } from './session-routes.js';
import { signInRoutes } from './sign-in-routes.js';

/** Every endpoint of the payment gateway. */
export function paymentRoutes(options: PaymentRouteOptions): RouteGroup {
  return {
    name: 'payments',
    description: 'Sign in as a cashier, bill clients, show QR codes, return money.',
    errorShape: 'gateway',
    schema: 'gateway',
    validators,
    routes: [
      ...signInRoutes(options),
      ...sessionRoutes(options),
      ...invoiceRoutes(options),
      ...qrRoutes(options),
      ...historyRoutes(options),
      ...paymentListRoutes(options),
    ],
  };
}
