import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import type { ApiRequest } from '../../http/route/route.js';
import type { Sessions } from '../sessions/sessions.js';
import { auth, defineRoute, type PaymentRouteOptions } from './define-route.js';
import { readLimit, sessionLimit } from './limits.js';

export function sessionRoutes({ sessions, gateway, zone, instance }: PaymentRouteOptions) {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/session',
      name: 'readSession',
      summary: 'Tell whether a session can be used',
      limit: sessionLimit,
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
      limit: sessionLimit,
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
    defineRoute({
      method: 'GET',
      path: '/api/session',
      name: 'readCashier',
      summary: 'Say who is signed in, and by whose clocks',
      auth,
      limit: readLimit,
      responses: { 200: 'SessionFacts' },
      async handle({ principal: { session } }) {
        const { orgName, phone, organizationId, profileId, capabilities } = session;
        const sandbox = capabilities?.sandbox ? { sandbox: true } : {};
        const id = await instance();
        const deployment = id === undefined ? {} : { instance: id };
        return ok({ orgName, phone, organizationId, profileId, zone, ...deployment, ...sandbox });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/session/check',
      name: 'checkSession',
      summary: 'Ask the provider whether the session can be used',
      auth,
      limit: readLimit,
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
