import * as validators from '#validators/gateway';
import type { RouteGroup } from '../../http/route/route.js';
import { dayRoutes } from './day-routes.js';
import type { PaymentRouteOptions } from './define-route.js';
import { doubtRoutes } from './doubt-routes.js';
import { historyRoutes } from './history-routes.js';
import { invoiceRoutes } from './invoice-routes.js';
import { paymentListRoutes } from './payment-list-routes.js';
import { qrRoutes } from './qr-routes.js';
import { recordRoutes } from './record-routes.js';
import { sessionRoutes } from './session-routes.js';
import { signInRoutes } from './sign-in-routes.js';
import { createGatewayTurns } from './turns.js';

/** Every endpoint of the payment gateway. */
export function paymentRoutes(options: PaymentRouteOptions): RouteGroup {
  const turns = createGatewayTurns();
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
      ...recordRoutes(options, turns),
      ...doubtRoutes(options, turns),
      ...dayRoutes(options, turns),
    ],
  };
}
