import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import { oldestRefund } from '../intents/refund-limit.js';
import { intentRow, paymentView } from '../payment-view.js';
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

/** What a person decides of money in doubt. What has begun is ended, whatever becomes of the client. */
export function doubtRoutes(
  { adoption, intents, isKeyTaken }: PaymentRouteOptions,
  { decisions }: Pick<GatewayTurns, 'decisions'>,
) {
  /** Throws `not_found` where there is no such intent of the cashier's organization. */
  async function assertOwn({ session }: Cashier, id: string): Promise<void> {
    const intent = await intents.find(id);
    if (intent?.organizationId === session.organizationId) return;
    throw new AppError('not_found', `There is no intent ${id}.`);
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/payments/adopt',
      name: 'adoptPayment',
      summary: 'Take in an operation that the provider has and that is not stored here',
      description:
        'It is watched from then on, and its webhook is sent. A request in doubt that it has come of is settled by it; where several may be it, `intent` says which (409 otherwise).',
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
          const adopted = await adoption.adopt(principal, { id, type, intentId });
          const { payment, isNew, settled } = adopted;
          return ok({
            payment: paymentView(payment),
            isNew,
            settled: settled.map((each) => intentRow(each, isKeyTaken)),
          });
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/intents/:intent/close',
      pathExamples: { intent: '5f0c3a9e21d47b8860c1d2e3' },
      name: 'closeIntent',
      summary: 'Say that nothing has come of a request in doubt',
      description:
        'The provider is not asked: a person has. The request can be repeated, also with the same key. 409 if it is no longer in doubt, or may still be answered.',
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

/** The name of an intent; `not_found` where the text is none. */
function readIntent(text: string): string {
  if (/^[0-9a-f]{24}$/.test(text)) return text;
  throw new AppError('not_found', `There is no intent ${text.slice(0, 40)}.`, {
    hint: 'An intent is named by 24 hexadecimal digits, such as 5f0c3a9e21d47b8860c1d2e3.',
  });
}
