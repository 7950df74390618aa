import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';
import { isUnsent, isWrongCode, type SignIn } from '../sessions/sign-in.js';

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
export function limitSignIn(signIn: SignIn, limiter: RateLimiter): SignIn {
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
