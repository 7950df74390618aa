import { ok } from '../../http/answer/reply.js';
import { oldestRefund } from '../intents/refund-limit.js';
import { pageIntents, pageRefunds, recordCursor } from '../record-pages.js';
import { auth, defineRoute, type PaymentRouteOptions } from './define-route.js';
import { readLimit } from './limits.js';
import type { GatewayTurns } from './turns.js';

/** Refunds, or intents, of one page. */
const pageLength = 100;

const states = ['in_doubt', 'adopted', 'running'] as const;
const kinds = ['qr', 'invoice', 'refund'] as const;

const after = {
  type: 'string',
  maxLength: 50,
  pattern: recordCursor,
  description: 'the `cursor` of the row behind which the page begins',
} as const;

const paymentId = {
  type: 'string',
  pattern: '^\\d{1,30}$',
  description: 'the operation whose refunds are wanted',
} as const;

/** Routes that list the gateway's own records of refunds and of requests that are under way or were in doubt. */
export function recordRoutes(
  { intents, refunds, underWay, findPayments, isKeyTaken, clock }: PaymentRouteOptions,
  { reads }: Pick<GatewayTurns, 'reads'>,
) {
  const stores = { intents, refunds, underWay, isKeyTaken };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/refunds',
      name: 'listRefunds',
      summary: 'List the refunds made through this gateway, newest first',
      description: `Those of the session's organization, ${pageLength} a page, and those of which nobody knows whether they were made; the provider is not asked.`,
      auth,
      limit: readLimit,
      query: {
        state: {
          type: 'string',
          pattern: '^ended$',
          description: 'ended: without those in doubt',
        },
        paymentId,
        after,
      },
      responses: { 200: 'RefundPage' },
      handle: (request) =>
        reads(request, async (signal) => {
          const { organizationId } = request.principal.session;
          const { state, paymentId, after } = request.query;
          const only = state === undefined ? undefined : 'ended';
          const payments = paymentId ? await findPayments({ id: paymentId, organizationId }) : [];
          const since = oldestRefund(payments, clock.now());
          const asked = { organizationId, only, paymentId, since, after } as const;
          const { rows, hasMore } = await pageRefunds(stores, {
            ...asked,
            limit: pageLength,
            signal,
          });
          return ok({ refunds: rows, hasMore });
        }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/intents',
      name: 'listIntents',
      summary: 'List requests that move money and are under way or were in doubt, newest first',
      description: `Lists the requests of the session's organization, ${pageLength} a page: in doubt, known by now to have been made, or under way in any process.`,
      auth,
      limit: readLimit,
      query: {
        state: {
          type: 'string',
          pattern: `^(${states.join('|')})$`,
          description: 'in_doubt (the default), adopted or running',
        },
        kind: {
          type: 'string',
          pattern: `^(${kinds.join('|')})$`,
          description: 'qr, invoice or refund; all of them by default',
        },
        paymentId,
        after,
      },
      responses: { 200: 'IntentPage' },
      handle: (request) =>
        reads(request, async (signal) => {
          const { organizationId } = request.principal.session;
          const { query } = request;
          const { rows, hasMore } = await pageIntents(stores, {
            organizationId,
            state: states.find((each) => each === query.state) ?? 'in_doubt',
            kind: kinds.find((each) => each === query.kind),
            paymentId: query.paymentId,
            after: query.after,
            limit: pageLength,
            signal,
          });
          return ok({ intents: rows, hasMore });
        }),
    }),
  ];
}
