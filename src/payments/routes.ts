import { AppError } from '../errors.js';
import type { RateLimiter, RateLimitRule } from '../http/rate-limit.js';
import { ok } from '../http/reply.js';
import { type ApiRequest, defineRoute, type RouteGroup, type RouteLimit } from '../http/route.js';
import type { Gateway, HistoryPeriod, RepeatKey } from './gateway.js';
import type { Cashier, Sessions } from './sessions.js';
import type { SignIn } from './sign-in.js';

export interface PaymentRouteOptions {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly gateway: Gateway;
  readonly rateLimiter: RateLimiter;
  /** The definitions of schemas/gateway.schema.json. */
  readonly validators: RouteGroup['validators'];
}

/** Each step of a sign-in, per address and minute. */
const perAddress = (step: string): RouteLimit => ({
  rule: { name: `gateway sign-in ${step}`, amount: 60, periodSeconds: 60 },
  by: 'address',
});

/** Codes sent to one phone number: ten at once, then one a minute. */
const codesPerPhone: RateLimitRule = {
  name: 'gateway codes',
  amount: 1,
  periodSeconds: 60,
  burst: 10,
};

const auth = 'cashier';
const idempotencyHeader = {
  'Idempotency-Key': 'Makes a repeated request the same request for 24 hours.',
};
const creationHeaders = {
  ...idempotencyHeader,
  'X-Profile-Id': 'Profile of the organization; the one of the session unless told.',
};
const providerErrors = ['not_found', 'refused', 'provider_error'] as const;
const idQuery = (description: string) => ({
  type: 'string' as const,
  required: true,
  maxLength: 50,
  description,
});

/** Every endpoint of the payment gateway. */
export function paymentRoutes(options: PaymentRouteOptions): RouteGroup {
  const { validators } = options;
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
    ],
  };
}

function signInRoutes({ signIn, rateLimiter }: PaymentRouteOptions) {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/init',
      name: 'startSignIn',
      summary: 'Start a sign-in',
      limit: perAddress('start'),
      responses: { 200: 'SignInStarted' },
      errors: ['provider_error'],
      handle: async () => ok({ success: true, ...(await signIn.start()) }),
    }),
    defineRoute<{ phoneNumber: string; processId: string }>({
      method: 'POST',
      path: '/api/auth/send-phone',
      name: 'sendPhone',
      summary: 'Have a code sent to the cashier',
      limit: perAddress('phone'),
      body: 'SendPhone',
      responses: { 200: 'PhoneSent' },
      errors: ['bad_request', 'provider_error'],
      async handle({ body: { phoneNumber, processId } }) {
        await rateLimiter.take(codesPerPhone, phoneNumber);
        return ok({
          success: true,
          processId,
          ...(await signIn.sendPhone(processId, phoneNumber)),
        });
      },
    }),
    defineRoute<{ otp: string; processId: string }>({
      method: 'POST',
      path: '/api/auth/verify-otp',
      name: 'verifyOtp',
      summary: 'Finish a sign-in with the code',
      limit: perAddress('code'),
      body: 'VerifyOtp',
      responses: { 200: 'SignedIn' },
      errors: ['bad_request', 'provider_error'],
      handle: async ({ body: { otp, processId } }) =>
        ok({ success: true, ...(await signIn.verifyOtp(processId, otp)) }),
    }),
  ];
}

function sessionRoutes({ sessions, gateway }: PaymentRouteOptions) {
  return [
    defineRoute<{ tokenSN?: string }>({
      method: 'POST',
      path: '/api/auth/session',
      name: 'readSession',
      summary: 'Tell whether a session can be used',
      body: 'SessionQuery',
      headers: { 'X-Token-SN': 'The session, where the body names none.' },
      responses: { 200: 'SessionState' },
      async handle(request) {
        const tokenSN = request.body.tokenSN || request.header('x-token-sn') || null;
        const authenticated = tokenSN !== null && (await sessions.isOpen(tokenSN));
        return ok({ authenticated, tokenSN });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout',
      name: 'logOutCashier',
      summary: 'End the session that the headers name',
      description: 'Without a valid pair of session headers nothing is ended.',
      headers: { 'X-Token-SN': 'Session token.', 'X-Vtoken-Secret': 'Encrypted session secret.' },
      responses: { 200: 'LoggedOut' },
      claims: (header) => !/^Bearer /i.test(header('authorization')),
      async handle(request) {
        const cashier = await cashierOf(sessions, request);
        if (cashier) await sessions.logOut(cashier);
        return ok({ success: true });
      },
    }),
    defineRoute<undefined, Cashier>({
      method: 'GET',
      path: '/api/session/check',
      name: 'checkSession',
      summary: 'Ask the provider whether the session can be used',
      auth,
      responses: { 200: 'SessionCheck' },
      errors: ['provider_error'],
      handle: async ({ principal }) => ok(await gateway.checkSession(principal)),
    }),
  ];
}

/** The cashier whom valid headers name, or undefined. */
async function cashierOf(sessions: Sessions, request: Pick<ApiRequest, 'header'>) {
  try {
    const secret = request.header('x-vtoken-secret');
    return await sessions.authenticate(request.header('x-token-sn'), secret);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}

function invoiceRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute<undefined, Cashier>({
      method: 'GET',
      path: '/api/invoice/client-info',
      name: 'findClient',
      summary: 'Look up a client by phone number',
      auth,
      query: {
        phoneNumber: {
          type: 'string',
          required: true,
          pattern: '^7\\d{10}$',
          description: '7 and ten more digits, such as 77011234567',
        },
      },
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal, query }) =>
        ok(await gateway.findClient(principal, String(query.phoneNumber))),
    }),
    defineRoute<{ phoneNumber: string; amount: number; comment?: string }, Cashier>({
      method: 'POST',
      path: '/api/invoice/create',
      name: 'createInvoice',
      summary: "Bill a client's phone",
      auth,
      body: 'CreateInvoice',
      headers: creationHeaders,
      responses: { 200: 'InvoiceCreated' },
      errors: [...providerErrors, 'conflict'],
      async handle(request) {
        const { principal, body } = request;
        const order = { ...body, ...profileOf(request) };
        return ok(await gateway.createInvoice(principal, order, repeatKey(request)));
      },
    }),
    defineRoute<undefined, Cashier>({
      method: 'GET',
      path: '/api/invoice/details',
      name: 'readInvoice',
      summary: 'Read an invoice',
      auth,
      query: { operationId: idQuery('Operation id of the invoice.') },
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal, query }) =>
        ok(await gateway.invoiceDetails(principal, String(query.operationId))),
    }),
    defineRoute<{ operationId: string }, Cashier>({
      method: 'POST',
      path: '/api/invoice/cancel',
      name: 'cancelInvoice',
      summary: 'Cancel an invoice that is not paid',
      auth,
      body: 'CancelInvoice',
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal, body }) =>
        ok(await gateway.cancelInvoice(principal, body.operationId)),
    }),
    defineRoute<Record<string, never>, Cashier>({
      method: 'POST',
      path: '/api/invoice/history',
      name: 'listInvoices',
      summary: "List the organization's latest 20 invoices",
      auth,
      body: 'InvoiceHistory',
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal }) => ok(await gateway.invoiceHistory(principal)),
    }),
  ];
}

function qrRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute<{ amount: number; latitude?: number; longitude?: number }, Cashier>({
      method: 'POST',
      path: '/api/qr/create',
      name: 'createQr',
      summary: 'Make a QR token for an amount',
      auth,
      body: 'CreateQr',
      headers: creationHeaders,
      responses: { 200: 'QrCreated' },
      errors: [...providerErrors, 'conflict'],
      async handle(request) {
        const { principal, body } = request;
        const order = { ...body, ...profileOf(request) };
        return ok(await gateway.createQr(principal, order, repeatKey(request)));
      },
    }),
    defineRoute<undefined, Cashier>({
      method: 'GET',
      path: '/api/qr/status',
      name: 'readQrStatus',
      summary: 'Read the status of a QR payment',
      auth,
      query: { qrOperationId: idQuery('Operation id of the QR payment.') },
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal, query }) =>
        ok(await gateway.qrStatus(principal, String(query.qrOperationId))),
    }),
  ];
}

function historyRoutes({ gateway }: PaymentRouteOptions) {
  return [
    defineRoute<HistoryPeriod, Cashier>({
      method: 'POST',
      path: '/api/history/operations',
      name: 'listOperations',
      summary: 'List operations up to a day',
      auth,
      body: 'Operations',
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal, body }) =>
        ok(
          await gateway.operations(principal, {
            endDate: body.endDate,
            statementPeriodCode: body.statementPeriodCode ?? 0,
            ...(body.lastTransactionDate ? { lastTransactionDate: body.lastTransactionDate } : {}),
          }),
        ),
    }),
    defineRoute<{ id: number; operationMethod?: number }, Cashier>({
      method: 'POST',
      path: '/api/history/details',
      name: 'readOperation',
      summary: 'Read one operation',
      auth,
      body: 'OperationDetails',
      responses: { 200: 'ProviderAnswer' },
      errors: providerErrors,
      handle: async ({ principal, body }) =>
        ok(await gateway.operationDetails(principal, body.id, body.operationMethod)),
    }),
    defineRoute<{ qrOperationId: number; returnAmount: number }, Cashier>({
      method: 'POST',
      path: '/api/refund/create',
      name: 'createRefund',
      summary: 'Return an amount of a paid operation',
      auth,
      body: 'CreateRefund',
      headers: idempotencyHeader,
      responses: { 200: 'ProviderAnswer' },
      errors: [...providerErrors, 'conflict'],
      handle: async (request) =>
        ok(await gateway.refund(request.principal, request.body, repeatKey(request))),
    }),
  ];
}

function profileOf(request: Pick<ApiRequest, 'header'>): { readonly profileId?: number } {
  const text = request.header('x-profile-id');
  if (text === '') return {};
  if (/^\d{1,15}$/.test(text)) return { profileId: Number(text) };
  throw badHeader('X-Profile-Id', 'must be a whole number');
}

function repeatKey(request: ApiRequest): RepeatKey {
  const key = request.header('idempotency-key');
  if (key.length > 255) throw badHeader('Idempotency-Key', 'must have at most 255 characters');
  return { key, body: request.body };
}

function badHeader(path: string, message: string): AppError {
  return new AppError('validation_failed', 'A header has a value that is not allowed.', {
    details: [{ path, message }],
  });
}
