import { AppError } from '../../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';
import { ok } from '../../http/answer/reply.js';
import type { ApiRequest } from '../../http/route/route.js';
import { type Sessions, sessionFacts } from '../sessions/sessions.js';
import { isUnsent, isWrongCode, type SignIn } from '../sessions/sign-in.js';
import {
  auth,
  defineRoute,
  type PaymentRouteOptions,
  perAddress,
  readLimit,
  sessionLimit,
} from './define-route.js';

export function signInRoutes({ rateLimiter, ...options }: PaymentRouteOptions) {
  const signIn = limitSignIn(options.signIn, rateLimiter);
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
    defineRoute({
      method: 'POST',
      path: '/api/auth/send-phone',
      name: 'sendPhone',
      summary: 'Send a code to the cashier',
      limit: perAddress('phone'),
      body: 'SendPhone',
      responses: { 200: 'PhoneSent' },
      errors: ['bad_request', 'provider_error'],
      handle: async ({ body: { phoneNumber, processId } }) =>
        ok({ success: true, processId, ...(await signIn.sendPhone(processId, phoneNumber)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/verify-otp',
      name: 'verifyOtp',
      summary: 'Complete a sign-in with the code',
      limit: perAddress('code'),
      body: 'VerifyOtp',
      responses: { 200: 'SignedIn' },
      errors: ['bad_request', 'provider_error'],
      handle: async ({ body: { otp, processId } }) =>
        ok({ success: true, ...(await signIn.verifyOtp(processId, otp)) }),
    }),
  ];
}

/** Codes sent to one phone number. */
const codesPerPhone: RateLimitRule = {
  name: 'gateway codes',
  amount: 1,
  periodSeconds: 60,
  burst: 10,
};

/** Wrong codes for one phone number in all sign-ins. Prevents guessing of six-digit codes. */
const wrongCodesPerPhone: RateLimitRule = {
  name: 'gateway wrong codes',
  amount: 20,
  periodSeconds: 3600,
};

/**
 * Limits the codes sent to a phone and the wrong codes. Counts a step before it is made, so that concurrent steps are
 * included. Reverts the count if no code was sent or the code was not wrong, so that made-up process IDs do not lock
 * out a cashier.
 */
function limitSignIn(signIn: SignIn, limiter: RateLimiter): SignIn {
  return {
    ...signIn,
    async sendPhone(processId, phoneNumber) {
      await limiter.check(wrongCodesPerPhone, phoneNumber);
      await limiter.take(codesPerPhone, phoneNumber);
      try {
        return await signIn.sendPhone(processId, phoneNumber);
      } catch (error) {
        if (isUnsent(error)) await limiter.giveBack(codesPerPhone, phoneNumber);
        throw error;
      }
    },
    async verifyOtp(processId, otp) {
      const phone = await signIn.phoneOf(processId);
      // Without a phone, the step is rejected and no code can be guessed.
      if (phone === undefined) return signIn.verifyOtp(processId, otp);
      await limiter.take(wrongCodesPerPhone, phone);
      try {
        const signedIn = await signIn.verifyOtp(processId, otp);
        await limiter.giveBack(wrongCodesPerPhone, phone);
        return signedIn;
      } catch (error) {
        if (!isWrongCode(error)) await limiter.giveBack(wrongCodesPerPhone, phone);
        throw error;
      }
    },
  };
}

export function sessionRoutes({ sessions, gateway, zone, instance }: PaymentRouteOptions) {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/session',
      name: 'readSession',
      summary: 'Check whether a session can be used',
      limit: sessionLimit,
      body: 'SessionQuery',
      headers: { 'X-Token-SN': 'Session token, if the body contains none.' },
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
      summary: 'End the session in the headers',
      limit: sessionLimit,
      description: 'Has no effect without a valid pair of session headers.',
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
      summary: 'Read the signed-in cashier and the time zone',
      auth,
      limit: readLimit,
      responses: { 200: 'SessionFacts' },
      handle: async ({ principal: { session } }) =>
        ok({ ...sessionFacts(session, await instance()), zone }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/session/check',
      name: 'checkSession',
      summary: 'Check with the provider whether the session can be used',
      auth,
      limit: readLimit,
      responses: { 200: 'SessionCheck' },
      errors: ['provider_error'],
      handle: async ({ principal }) => ok(await gateway.as(principal).checkSession()),
    }),
  ];
}

/** Returns the cashier of the session headers; undefined if they are invalid. */
async function cashierOf(sessions: Sessions, request: Pick<ApiRequest, 'header'>) {
  try {
    const secret = request.header('x-vtoken-secret');
    return await sessions.authenticate(request.header('x-token-sn'), secret);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}
