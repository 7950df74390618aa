import type { RateLimitRule } from '../../http/rate-limit.js';
import { ok } from '../../http/reply.js';
import { defineRoute, type RouteLimit } from '../../http/route.js';
import type { PaymentRouteOptions } from './options.js';

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

export function signInRoutes({ signIn, rateLimiter }: PaymentRouteOptions) {
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
