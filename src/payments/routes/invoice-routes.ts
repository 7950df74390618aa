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

export function invoiceRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/invoice/client-info',
      name: 'findClient',
      summary: 'Look up a client by phone number',
      auth,
      limit: readLimit,
      query: {
        phoneNumber: {
          type: 'string',
          required: true,
          pattern: '^7\\d{10}$',
          description: '7 and ten more digits, such as 77011234567',
          example: '77011234567',
        },
      },
      responses: { 200: 'ClientAnswer' },
      errors: providerErrors,
      handle: async ({ principal, query }) =>
        ok(await gateway.findClient(principal, query.phoneNumber)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/invoice/create',
      name: 'createInvoice',
      summary: "Bill a client's phone",
      auth,
      limit: moneyLimit,
      body: 'CreateInvoice',
      headers: creationHeaders,
      answerHeaders: keyOfAnswer,
      responses: { 200: 'InvoiceCreated' },
      errors: moneyErrors,
      async handle(request) {
        const { principal, body } = request;
        // Properties that the description does not name are ignored: a profile in the body, too.
        const order = { ...body, profileId: profileOf(request) };
        return answerMoney(request, (repeat) => gateway.createInvoice(principal, order, repeat));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/invoice/details',
      name: 'readInvoice',
      summary: 'Read an invoice',
      auth,
      limit: readLimit,
      query: { operationId: idQuery('Operation id of the invoice.') },
      responses: { 200: 'InvoiceAnswer' },
      errors: providerErrors,
      handle: async ({ principal, query }) =>
        ok(await gateway.invoiceDetails(principal, query.operationId)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/invoice/cancel',
      name: 'cancelInvoice',
      summary: 'Cancel an invoice that is not paid',
      auth,
      limit: moneyLimit,
      body: 'CancelInvoice',
      responses: { 200: 'InvoiceAnswer' },
      errors: providerErrors,
      handle: async ({ principal, body }) =>
        ok(await gateway.cancelInvoice(principal, body.operationId)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/invoice/history',
      name: 'listInvoices',
      summary: "List the organization's latest 20 invoices",
      auth,
      limit: readLimit,
      body: 'InvoiceHistory',
      responses: { 200: 'InvoicesAnswer' },
      errors: providerErrors,
      handle: async ({ principal }) => ok(await gateway.invoiceHistory(principal)),
    }),
  ];
}
