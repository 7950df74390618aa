import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import { intentRow, paymentView } from '../payment-view.js';
import { maskPhone } from '../phone.js';
import type { Cashier } from '../sessions/sessions.js';
import { auth, defineRoute, type PaymentRouteOptions, providerErrors } from './define-route.js';
import { moneyLimit } from './limits.js';
import type { GatewayTurns } from './turns.js';

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
