import { ok } from '../../http/answer/reply.js';
import { defineRoute, type PaymentRouteOptions } from './define-route.js';
import { perAddress } from './limits.js';
import { limitSignIn } from './sign-in-limits.js';

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
      summary: 'Have a code sent to the cashier',
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
