import { ok } from '../../http/answer/reply.js';
import {
  answerMoney,
  auth,
  creationHeaders,
  defineRoute,
  idQuery,
  keyOfAnswer,
  moneyErrors,
  type PaymentRouteOptions,
  profileOf,
  providerErrors,
} from './define-route.js';
import { moneyLimit, readLimit } from './limits.js';

export function qrRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/qr/create',
      name: 'createQr',
      summary: 'Make a QR token for an amount',
      auth,
      limit: moneyLimit,
      body: 'CreateQr',
      headers: creationHeaders,
      answerHeaders: keyOfAnswer,
      responses: { 200: 'QrCreated' },
      errors: moneyErrors,
      async handle(request) {
        const { principal, body } = request;
        // Properties that the description does not name are ignored: a profile in the body, too.
        const order = { ...body, profileId: profileOf(request) };
        return answerMoney(request, (repeat) => gateway.createQr(principal, order, repeat));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/qr/status',
      name: 'readQrStatus',
      summary: 'Read the status of a QR payment',
      auth,
      limit: readLimit,
      query: { qrOperationId: idQuery('Operation id of the QR payment.') },
      responses: { 200: 'QrAnswer' },
      errors: providerErrors,
      handle: async ({ principal, query }) =>
        ok(await gateway.qrStatus(principal, query.qrOperationId)),
    }),
  ];
}
