import { ok } from '../../http/answer/reply.js';
import {
  answerMoney,
  auth,
  creationHeaders,
  defineRoute,
  idempotencyHeader,
  idQuery,
  keyOfAnswer,
  moneyErrors,
  moneyLimit,
  type PaymentRouteOptions,
  profileOf,
  providerErrors,
  readLimit,
} from './define-route.js';

const reading = { auth, limit: readLimit, errors: providerErrors } as const;
const moving = {
  auth,
  limit: moneyLimit,
  answerHeaders: keyOfAnswer,
  errors: moneyErrors,
} as const;
const creating = { ...moving, headers: creationHeaders } as const;

/** Returns the routes that call the provider: QR payments, invoices, the history and refunds. */
export function providerRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute({
      ...reading,
      method: 'GET',
      path: '/api/invoice/client-info',
      name: 'findClient',
      summary: 'Look up a customer by phone number',
      query: {
        phoneNumber: {
          type: 'string',
          required: true,
          pattern: '^7\\d{10}$',
          description: 'Phone number: 7 followed by ten digits, such as 77011234567.',
          example: '77011234567',
        },
      },
      responses: { 200: 'ClientAnswer' },
      handle: async ({ principal, query }) =>
        ok(await gateway.as(principal).findClient(query.phoneNumber)),
    }),
    defineRoute({
      ...creating,
      method: 'POST',
      path: '/api/invoice/create',
      name: 'createInvoice',
      summary: "Send an invoice to a customer's phone",
      body: 'CreateInvoice',
      responses: { 200: 'InvoiceCreated' },
      async handle(request) {
        const { principal, body } = request;
        // Undocumented properties are ignored, including a profile in the body.
        const order = { ...body, profileId: profileOf(request) };
        return answerMoney(request, (repeat) => gateway.as(principal).createInvoice(order, repeat));
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path: '/api/invoice/details',
      name: 'readInvoice',
      summary: 'Read an invoice',
      query: { operationId: idQuery('Operation ID of the invoice.') },
      responses: { 200: 'InvoiceAnswer' },
      handle: async ({ principal, query }) =>
        ok(await gateway.as(principal).invoiceDetails(query.operationId)),
    }),
    defineRoute({
      ...reading,
      limit: moneyLimit,
      method: 'POST',
      path: '/api/invoice/cancel',
      name: 'cancelInvoice',
      summary: 'Cancel an unpaid invoice',
      body: 'CancelInvoice',
      responses: { 200: 'InvoiceAnswer' },
      handle: async ({ principal, body }) =>
        ok(await gateway.as(principal).cancelInvoice(body.operationId)),
    }),
    defineRoute({
      ...reading,
      method: 'POST',
      path: '/api/invoice/history',
      name: 'listInvoices',
      summary: "List the organization's latest 20 invoices",
      body: 'InvoiceHistory',
      responses: { 200: 'InvoicesAnswer' },
      handle: async ({ principal }) => ok(await gateway.as(principal).invoiceHistory()),
    }),
    defineRoute({
      ...creating,
      method: 'POST',
      path: '/api/qr/create',
      name: 'createQr',
      summary: 'Create a QR token for an amount',
      body: 'CreateQr',
      responses: { 200: 'QrCreated' },
      async handle(request) {
        const { principal, body } = request;
        // Undocumented properties are ignored, including a profile in the body.
        const order = { ...body, profileId: profileOf(request) };
        return answerMoney(request, (repeat) => gateway.as(principal).createQr(order, repeat));
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path: '/api/qr/status',
      name: 'readQrStatus',
      summary: 'Read the status of a QR payment',
      query: { qrOperationId: idQuery('Operation ID of the QR payment.') },
      responses: { 200: 'QrAnswer' },
      handle: async ({ principal, query }) =>
        ok(await gateway.as(principal).qrStatus(query.qrOperationId)),
    }),
    defineRoute({
      ...reading,
      method: 'POST',
      path: '/api/history/operations',
      name: 'listOperations',
      summary: 'List operations up to a day',
      body: 'Operations',
      responses: { 200: 'OperationsAnswer' },
      handle: async ({ principal, body }) => ok(await gateway.as(principal).operations(body)),
    }),
    defineRoute({
      ...reading,
      method: 'POST',
      path: '/api/history/details',
      name: 'readOperation',
      summary: 'Read one operation',
      body: 'OperationDetails',
      responses: { 200: 'OperationAnswer' },
      handle: async ({ principal, body }) =>
        ok(await gateway.as(principal).operationDetails(body.id, body.operationMethod)),
    }),
    defineRoute({
      ...moving,
      method: 'POST',
      path: '/api/refund/create',
      name: 'createRefund',
      summary: 'Refund an amount of a paid operation',
      body: 'CreateRefund',
      headers: idempotencyHeader,
      responses: { 200: 'RefundAnswer' },
      handle: (request) =>
        answerMoney(request, (repeat) =>
          gateway.as(request.principal).refund(request.body, repeat),
        ),
    }),
  ];
}
