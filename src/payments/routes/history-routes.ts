import { ok } from '../../http/answer/reply.js';
import {
  answerMoney,
  auth,
  defineRoute,
  idempotencyHeader,
  keyOfAnswer,
  moneyErrors,
  type PaymentRouteOptions,
  providerErrors,
} from './define-route.js';
import { moneyLimit, readLimit } from './limits.js';

export function historyRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/history/operations',
      name: 'listOperations',
      summary: 'List operations up to a day',
      auth,
      limit: readLimit,
      body: 'Operations',
      responses: { 200: 'OperationsAnswer' },
      errors: providerErrors,
      handle: async ({ principal, body }) => ok(await gateway.operations(principal, body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/history/details',
      name: 'readOperation',
      summary: 'Read one operation',
      auth,
      limit: readLimit,
      body: 'OperationDetails',
      responses: { 200: 'OperationAnswer' },
      errors: providerErrors,
      handle: async ({ principal, body }) =>
        ok(await gateway.operationDetails(principal, body.id, body.operationMethod)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/refund/create',
      name: 'createRefund',
      summary: 'Return an amount of a paid operation',
      auth,
      limit: moneyLimit,
      body: 'CreateRefund',
      headers: idempotencyHeader,
      answerHeaders: keyOfAnswer,
      responses: { 200: 'RefundAnswer' },
      errors: moneyErrors,
      handle: (request) =>
        answerMoney(request, (repeat) => gateway.refund(request.principal, request.body, repeat)),
    }),
  ];
}
