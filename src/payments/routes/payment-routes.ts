import * as validators from '#validators/gateway';
import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import type { ApiRequest, RouteGroup } from '../../http/route/route.js';
import { onePayment } from '../one-payment.js';
import type { Payment, PaymentType } from '../payment.js';
import { paymentView } from '../payment-view.js';
import type { Cashier } from '../sessions/sessions.js';
import { dayRoutes } from './day-routes.js';
import {
  auth,
  createGatewayTurns,
  defineRoute,
  type PaymentRouteOptions,
  pairOf,
  readLimit,
} from './define-route.js';
import { providerRoutes } from './provider-routes.js';
import { doubtRoutes, recordRoutes } from './record-routes.js';
import { sessionRoutes, signInRoutes } from './session-routes.js';

/** Returns all endpoints of the payment gateway. */
export function paymentRoutes(options: PaymentRouteOptions): RouteGroup {
  const turns = createGatewayTurns();
  return {
    name: 'payments',
    description: 'Sign in as a cashier, send invoices, show QR codes, and refund payments.',
    errorShape: 'gateway',
    schema: 'gateway',
    validators,
    routes: [
      ...signInRoutes(options),
      ...sessionRoutes(options),
      ...providerRoutes(options),
      ...paymentListRoutes(options),
      ...recordRoutes(options, turns),
      ...doubtRoutes(options, turns),
      ...dayRoutes(options, turns),
    ],
  };
}

/** Number of payments per page. */
const pageLength = 100;
/** Maximum `wait` for a payment, in seconds. Most proxies time out requests after 60 seconds, some after 30. */
const maxWait = 25;

const states = ['open', 'ended', 'unknown'] as const;

/** Returns the routes for the stored payments. */
function paymentListRoutes(options: PaymentRouteOptions) {
  const { sessions, changes, waits, findPayments, pagePayments } = options;

  /** Returns the payment of the cashier's organization with this name. Throws `conflict` if the name is ambiguous. */
  async function findOne({ session }: Cashier, name: string): Promise<Payment> {
    const { id, type } = readName(name);
    const { organizationId } = session;
    const found = await findPayments({ id, type, organizationId });
    if (found.length <= 1) return onePayment(found, id);
    throw new AppError(
      'conflict',
      `Payments of two types have the ID ${id}. Use ${found.map(({ type }) => `${type}:${id}`).join(' or ')}.`,
    );
  }

  /** Waits until the payment changes or the wait expires. */
  async function untilChanged(
    payment: Payment,
    { principal, query, signal }: Waiting,
  ): Promise<Payment> {
    const { wait = 0 } = query;
    if (wait === 0 || payment.state !== 'open') return payment;
    const leave = waits.begin(`cashier ${principal.key}`);
    try {
      return await changes.next(payment, { wait: wait * 1000, signal: signal() });
    } finally {
      leave();
    }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/payments',
      name: 'listPayments',
      summary: 'List the payments made through this gateway, newest first',
      description: `Lists the stored payments of the session's organization, ${pageLength} per page. Does not call the provider.`,
      auth,
      limit: readLimit,
      query: {
        state: {
          type: 'string',
          pattern: `^(${states.join('|')})$`,
          description: 'State: open, ended or unknown; all states by default.',
        },
        after: {
          type: 'string',
          maxLength: 100,
          pattern: '^\\d{1,16}-(-?\\d{1,16}-(?:qr|invoice)-\\d{1,30})$',
          description: 'The page begins after the payment with this `cursor`.',
        },
      },
      responses: { 200: 'PaymentPage' },
      async handle({ principal, query }) {
        const { organizationId } = principal.session;
        const state = states.find((each) => each === query.state);
        const { after } = query;
        const page = await pagePayments({ organizationId, state, after, limit: pageLength });
        return ok({ payments: page.payments.map(paymentView), hasMore: page.hasMore });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/payments/:payment',
      pathExamples: { payment: 'qr:1001' },
      name: 'readPayment',
      summary: 'Read a payment made through this gateway, or wait until it changes',
      description:
        '`payment` is the operation ID. If a QR payment and an invoice have the same ID, write `qr:1001` or `invoice:1001`; the response to the bare ID is 409. With `wait`, a request for an open payment is held until the payment changes.',
      auth,
      limit: readLimit,
      query: {
        wait: {
          type: 'integer',
          minimum: 0,
          maximum: maxWait,
          description: 'Maximum time to hold the request until the payment changes, in seconds.',
        },
      },
      responses: { 200: 'PaymentRead' },
      errors: ['not_found', 'conflict', 'rate_limited'],
      async handle(request) {
        const { principal, params, query } = request;
        const found = await findOne(principal, params.payment ?? '');
        const payment = await untilChanged(found, request);
        // The session may have ended during the wait.
        if ((query.wait ?? 0) > 0) await sessions.authenticate(...pairOf(request));
        return ok({ payment: paymentView(payment) });
      },
    }),
  ];
}

type Waiting = Pick<
  ApiRequest<undefined, Cashier, { readonly wait: number | undefined }>,
  'principal' | 'query' | 'signal'
>;

/** Parses `1001`, `qr:1001` or `invoice:1001`. Throws `not_found` for anything else. */
function readName(name: string): { readonly id: string; readonly type?: PaymentType } {
  const [, type, id] = /^(?:(qr|invoice):)?(\d{1,30})$/.exec(name) ?? [];
  if (id === undefined) {
    throw new AppError('not_found', `${name.slice(0, 40)} is not a valid payment ID.`, {
      hint: 'Use the operation ID, such as 1001, qr:1001 or invoice:1001.',
    });
  }
  return type === undefined ? { id } : { id, type: type === 'qr' ? 'qr' : 'invoice' };
}
