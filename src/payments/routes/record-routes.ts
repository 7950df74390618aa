import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import { noSuchIntent } from '../intents/intent-errors.js';
import { oldestRefund } from '../intents/refund-limit.js';
import { adoptedView, intentRow } from '../payment-view.js';
import { maskPhone } from '../phone.js';
import { pageIntents, pageRefunds, recordCursor } from '../record-pages.js';
import type { Cashier } from '../sessions/sessions.js';
import type { GatewayTurns } from './define-route.js';
import {
  auth,
  defineRoute,
  moneyLimit,
  type PaymentRouteOptions,
  providerErrors,
  readLimit,
} from './define-route.js';

/** Number of refunds or intents per page. */
const pageLength = 100;

const states = ['in_doubt', 'adopted', 'running'] as const;
const kinds = ['qr', 'invoice', 'refund'] as const;

const after = {
  type: 'string',
  maxLength: 50,
  pattern: recordCursor,
  description: 'The page begins after the row with this `cursor`.',
} as const;

const paymentId = {
  type: 'string',
  pattern: '^\\d{1,30}$',
  description: 'Operation ID of the refunded payment.',
} as const;

/** Returns the routes that list the stored refunds, and the requests that are in progress or were in doubt. */
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
      description: `Lists the stored refunds of the session's organization, including refunds in doubt, ${pageLength} per page. Does not call the provider.`,
      auth,
      limit: readLimit,
      query: {
        state: {
          type: 'string',
          pattern: '^ended$',
          description: 'Use `ended` to exclude refunds in doubt.',
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
          const filter = { organizationId, only, paymentId, since, after } as const;
          const { rows, hasMore } = await pageRefunds(stores, {
            ...filter,
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
      summary: 'List money requests that are in progress or were in doubt, newest first',
      description: `Lists the requests of the session's organization that are in doubt, were adopted, or are in progress in any process, ${pageLength} per page.`,
      auth,
      limit: readLimit,
      query: {
        state: {
          type: 'string',
          pattern: `^(${states.join('|')})$`,
          description: 'State: in_doubt (default), adopted or running.',
        },
        kind: {
          type: 'string',
          pattern: `^(${kinds.join('|')})$`,
          description: 'Kind: qr, invoice or refund; all kinds by default.',
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
            kinds: kinds.filter((each) => each === (query.kind ?? each)),
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

/**
 * Returns the routes for a person's decisions about money in doubt. A decision is completed even if its client
 * disconnects.
 */
export function doubtRoutes(
  { adoption, intents, isKeyTaken }: PaymentRouteOptions,
  { decisions }: Pick<GatewayTurns, 'decisions'>,
) {
  /** Throws `not_found` unless the intent belongs to the cashier's organization. */
  async function assertOwn({ session }: Cashier, id: string): Promise<void> {
    const intent = await intents.find(id);
    if (intent?.organizationId === session.organizationId) return;
    throw noSuchIntent(id);
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/payments/adopt',
      name: 'adoptPayment',
      summary: 'Adopt an operation of the provider that is not stored here',
      description:
        'The gateway then watches it and sends its webhook. It also settles the request in doubt that created the operation. If several requests match, select one with `intent`; otherwise, the response is 409.',
      auth,
      limit: moneyLimit,
      body: 'AdoptPayment',
      responses: { 200: 'PaymentAdopted' },
      errors: [...providerErrors, 'conflict'],
      handle: (request) =>
        decisions(request, async () => {
          const { principal, body } = request;
          const { id, type, intent: intentId } = body;
          if (intentId !== undefined) await assertOwn(principal, intentId);
          return ok(
            adoptedView(await adoption.adopt(principal, { id, type, intentId }), isKeyTaken),
          );
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/intents/:intent/close',
      pathExamples: { intent: '5f0c3a9e21d47b8860c1d2e3' },
      name: 'closeIntent',
      summary: 'Close a request in doubt as never made',
      description:
        'Check with the provider before you send this, because the gateway does not. The request can then be repeated, even with the same key. The response is 409 if the request is no longer in doubt or may still be answered.',
      auth,
      limit: moneyLimit,
      responses: { 200: 'IntentClosed' },
      errors: ['not_found', 'conflict'],
      handle: (request) =>
        decisions(request, async () => {
          const { principal, params } = request;
          const id = readIntent(params.intent ?? '');
          await assertOwn(principal, id);
          const closed = await adoption.closeIntent(id, maskPhone(principal.session.phone));
          return ok({ intent: intentRow(closed, isKeyTaken) });
        }),
    }),
  ];
}

/** Returns the ID of an intent. Throws `not_found` if it is invalid. */
function readIntent(text: string): string {
  if (/^[0-9a-f]{24}$/.test(text)) return text;
  throw new AppError('not_found', `${text.slice(0, 40)} is not a valid intent ID.`, {
    hint: 'An intent ID consists of 24 hexadecimal digits, such as 5f0c3a9e21d47b8860c1d2e3.',
  });
}
