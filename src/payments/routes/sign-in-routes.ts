import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';
import { ok } from '../../http/answer/reply.js';
import { isUnsent, isWrongCode, type SignIn } from '../sessions/sign-in.js';
import { defineRoute, type PaymentRouteOptions } from './define-route.js';
import { perAddress } from './limits.js';

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

/** Codes sent to one phone number. */
const codesPerPhone: RateLimitRule = {
  name: 'gateway codes',
  amount: 1,
  periodSeconds: 60,
  burst: 10,
};

/** Wrong codes for one phone number, over all sign-ins: a code of six digits must not be guessed. */
const wrongCodesPerPhone: RateLimitRule = {
  name: 'gateway wrong codes',
  amount: 20,
  periodSeconds: 3600,
};

/**
 * A sign-in that floods no phone with codes and lets nobody guess them. A step counts before it is
 * made, so that steps made at once count as well, and is taken off the count again where no code was
 * sent or no code was wrong: who invents processes keeps no cashier out.
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
      // The process is refused; nobody's code is guessed.
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
